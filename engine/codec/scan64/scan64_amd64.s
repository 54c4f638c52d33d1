//go:build amd64 && !purego

#include "textflag.h"

DATA numbers<>+0(SB)/8, $0x0706050403020100
DATA numbers<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA numbers<>+16(SB)/8, $0x1716151413121110
DATA numbers<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA numbers<>+32(SB)/8, $0x2726252423222120
DATA numbers<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA numbers<>+48(SB)/8, $0x3736353433323130
DATA numbers<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL numbers<>(SB), RODATA|NOPTR, $64

// ARGS loads the arguments: DI is where the next mark goes, R11 the last place from where a block's marks have room,
// SI the next block, CX the last block, DX where the next word of digits goes, R8 the block's position. It jumps to none
// when there is no room or no block at all.
#define ARGS(none) \
	MOVQ    marks_base+0(FP), DI   \
	MOVQ    marks_len+8(FP), R11   \
	MOVQ    digits_base+24(FP), DX \
	MOVQ    digits_len+32(FP), AX  \
	MOVQ    data_base+48(FP), SI   \
	MOVQ    data_len+56(FP), CX    \
	MOVL    base+72(FP), R8        \
	SHLQ    $6, AX                 \
	CMPQ    AX, CX                 \
	CMOVQLT AX, CX                 \
	SUBQ    $64, R11               \
	JLT     none                   \
	SUBQ    $64, CX                \
	JLT     none                   \
	LEAQ    (DI)(R11*4), R11       \
	ADDQ    SI, CX

// RESULTS stores the counts.
#define RESULTS \
	MOVQ marks_base+0(FP), AX \
	SUBQ AX, DI               \
	SHRQ $2, DI               \
	MOVQ data_base+48(FP), AX \
	SUBQ AX, SI               \
	SHRQ $6, SI               \
	MOVQ SI, blocks+80(FP)    \
	MOVQ DI, found+88(FP)

// SIXTEEN stores the marks whose numbers are in X5.
#define SIXTEEN(offset) \
	VPMOVZXBD X5, Z5          \
	VPADDD    Z8, Z5, Z5      \
	VMOVDQU32 Z5, offset(DI)

// func byAVX512(marks []uint32, digits []uint64, data []byte, base uint32) (blocks, found int, high bool)
TEXT ·byAVX512(SB), NOSPLIT, $0-97
	VPXORQ       Z10, Z10, Z10           // all bytes seen
	ARGS(done)
	VMOVDQU64    numbers<>(SB), Z0
	MOVL         $0x02, AX
	VPBROADCASTB AX, Z1
	MOVL         $0x20, AX
	VPBROADCASTB AX, Z2
	MOVL         $0x5c, AX               // backslashes
	VPBROADCASTB AX, Z3
	VPBROADCASTD R8, Z8
	MOVL         $64, AX
	VPBROADCASTD AX, Z9
	MOVL         $0x30, AX
	VPBROADCASTB AX, Z11
	MOVL         $9, AX
	VPBROADCASTB AX, Z12

block:
	VMOVDQU64     (SI), Z4
	VPXORQ        Z1, Z4, Z5
	VPCMPUB       $2, Z2, Z5, K1         // not above 0x20 once 0x20 and 0x22 are exchanged
	VPCMPEQB      Z3, Z4, K2
	VPSUBB        Z11, Z4, Z7
	VPCMPUB       $2, Z12, Z7, K3
	VPORQ         Z4, Z10, Z10
	KORQ          K1, K2, K1
	KMOVQ         K3, (DX)
	KMOVQ         K1, AX
	VPCOMPRESSB.Z Z0, K1, Z6
	POPCNTQ       AX, BX
	VMOVDQA64     Z6, Z5
	SIXTEEN(0)
	CMPQ          BX, $16
	JHI           dense

next:
	LEAQ   (DI)(BX*4), DI
	VPADDD Z9, Z8, Z8
	ADDQ   $64, SI
	ADDQ   $8, DX
	CMPQ   SI, CX
	JHI    done
	CMPQ   DI, R11
	JLS    block

done:
	VPMOVB2M Z10, K3
	KORTESTQ K3, K3
	SETNE    high+96(FP)
	VZEROUPPER
	RESULTS
	RET

dense:
	VEXTRACTI32X4 $1, Z6, X5
	SIXTEEN(64)
	VEXTRACTI32X4 $2, Z6, X5
	SIXTEEN(128)
	VEXTRACTI32X4 $3, Z6, X5
	SIXTEEN(192)
	JMP           next

// NEXT stores the lowest mark in AX.
#define NEXT(offset) \
	TZCNTQ AX, R13         \
	ADDL   R8, R13         \
	MOVL   R13, offset(DI) \
	BLSRQ  AX, AX

// DIGITS leaves the digits among the bytes of y in reg.
#define DIGITS(y, reg) \
	VPSUBB    Y11, y, Y6  \
	VPMINUB   Y6, Y12, Y7 \
	VPCMPEQB  Y6, Y7, Y6  \
	VPMOVMSKB Y6, reg

// MASK leaves marks in reg, of the bytes in y, which it ruins.
#define MASK(y, reg) \
	VPOR      y, Y10, Y10  \
	VPCMPEQB  y, Y3, Y6    \
	VPXOR     y, Y1, y     \
	VPMINUB   y, Y2, Y7    \
	VPCMPEQB  y, Y7, y     \
	VPOR      y, Y6, y     \
	VPMOVMSKB y, reg

// func byAVX2(marks []uint32, digits []uint64, data []byte, base uint32) (blocks, found int, high bool)
TEXT ·byAVX2(SB), NOSPLIT, $0-97
	VPXOR        Y10, Y10, Y10           // all bytes seen
	ARGS(done)
	MOVL         $0x02, AX
	VMOVD        AX, X1
	VPBROADCASTB X1, Y1
	MOVL         $0x20, AX
	VMOVD        AX, X2
	VPBROADCASTB X2, Y2
	MOVL         $0x5c, AX               // backslashes
	VMOVD        AX, X3
	VPBROADCASTB X3, Y3
	MOVL         $0x30, AX
	VMOVD        AX, X11
	VPBROADCASTB X11, Y11
	MOVL         $9, AX
	VMOVD        AX, X12
	VPBROADCASTB X12, Y12

block:
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5
	DIGITS(Y4, AX)
	DIGITS(Y5, R12)
	SHLQ    $32, R12
	ORQ     R12, AX
	MOVQ    AX, (DX)
	MASK(Y4, AX)
	MASK(Y5, R12)
	SHLQ    $32, R12
	ORQ     R12, AX
	POPCNTQ AX, BX
	LEAQ    (DI)(BX*4), R12
	NEXT(0)
	NEXT(4)
	NEXT(8)
	NEXT(12)
	NEXT(16)
	NEXT(20)
	NEXT(24)
	NEXT(28)
	NEXT(32)
	NEXT(36)
	NEXT(40)
	NEXT(44)
	CMPQ    BX, $12
	JHI     many

stored:
	MOVQ R12, DI
	ADDL $64, R8
	ADDQ $64, SI
	ADDQ $8, DX
	CMPQ SI, CX
	JHI  done
	CMPQ DI, R11
	JLS  block

done:
	VPMOVMSKB Y10, AX
	TESTL     AX, AX
	SETNE     high+96(FP)
	VZEROUPPER
	RESULTS
	RET

many:
	NEXT(48)
	ADDQ $4, DI
	TESTQ AX, AX
	JNE   many
	JMP   stored
