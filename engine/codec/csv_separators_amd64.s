//go:build amd64 && !purego

#include "textflag.h"

// The next separator is the lowest bit of DX, R8 the block's position.
#define NEXT(offset) \
	TZCNTQ DX, R13        \
	ADDL   R8, R13        \
	MOVL   R13, offset(DI) \
	BLSRQ  DX, DX

// func separatorsAVX2(out []uint32, data []byte, base uint32, delim byte, limit int) (blocks, found, lines int)
TEXT ·separatorsAVX2(SB), NOSPLIT, $0-88
	MOVQ         out_base+0(FP), DI
	MOVQ         out_len+8(FP), R11
	MOVQ         data_base+24(FP), SI
	MOVQ         data_len+32(FP), CX
	MOVL         base+48(FP), R8
	MOVBLZX      delim+52(FP), AX
	MOVQ         limit+56(FP), R10
	MOVQ         AX, X8
	MOVL         $0x0a, AX
	MOVQ         AX, X9
	MOVL         $0x22, AX
	MOVQ         AX, X10
	VPBROADCASTB X8, Y8                // delimiters
	VPBROADCASTB X9, Y9                // line feeds
	VPBROADCASTB X10, Y10              // quotes
	XORQ         R9, R9                // line feeds found
	LEAQ         -256(DI)(R11*4), R11  // beyond it out has no room for a block's separators
	LEAQ         -64(SI)(CX*1), CX     // beyond it data has no whole block

block:
	CMPQ      SI, CX
	JGT       done
	CMPQ      DI, R11
	JGT       done
	CMPQ      R9, R10
	JGE       done
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	VPCMPEQB  Y0, Y10, Y2
	VPCMPEQB  Y1, Y10, Y3
	VPOR      Y2, Y3, Y2
	VPTEST    Y2, Y2
	JNZ       done
	VPCMPEQB  Y0, Y9, Y4
	VPCMPEQB  Y1, Y9, Y5
	VPCMPEQB  Y0, Y8, Y6
	VPCMPEQB  Y1, Y8, Y7
	VPMOVMSKB Y4, AX
	VPMOVMSKB Y5, R12
	SHLQ      $32, R12
	ORQ       R12, AX
	VPMOVMSKB Y6, DX
	VPMOVMSKB Y7, R12
	SHLQ      $32, R12
	ORQ       R12, DX
	ORQ       AX, DX
	POPCNTQ   AX, AX
	ADDQ      AX, R9
	POPCNTQ   DX, BX
	LEAQ      (DI)(BX*4), R12
	ADDQ      $64, SI

separators:
	NEXT(0)
	NEXT(4)
	NEXT(8)
	NEXT(12)
	NEXT(16)
	NEXT(20)
	NEXT(24)
	NEXT(28)
	ADDQ $32, DI
	CMPQ DI, R12
	JLT  separators
	MOVQ R12, DI
	ADDL $64, R8
	JMP  block

done:
	VZEROUPPER
	MOVQ out_base+0(FP), AX
	SUBQ AX, DI
	SHRQ $2, DI
	MOVQ data_base+24(FP), AX
	SUBQ AX, SI
	SHRQ $6, SI
	MOVQ SI, blocks+64(FP)
	MOVQ DI, found+72(FP)
	MOVQ R9, lines+80(FP)
	RET

// The numbers from 0 to 63.
DATA counting<>+0(SB)/8, $0x0706050403020100
DATA counting<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA counting<>+16(SB)/8, $0x1716151413121110
DATA counting<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA counting<>+32(SB)/8, $0x2726252423222120
DATA counting<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA counting<>+48(SB)/8, $0x3736353433323130
DATA counting<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL counting<>(SB), RODATA|NOPTR, $64

// PUT writes the 16 positions in a quarter of the block, given as bytes.
#define PUT(quarter, offset) \
	VPMOVZXBD quarter, Z5          \
	VPADDD    Z5, Z7, Z5           \
	VMOVDQU32 Z5, offset(DI)

// func separatorsAVX512(out []uint32, data []byte, base uint32, delim byte, limit int) (blocks, found, lines int)
TEXT ·separatorsAVX512(SB), NOSPLIT, $0-88
	MOVQ         out_base+0(FP), DI
	MOVQ         out_len+8(FP), R11
	MOVQ         data_base+24(FP), SI
	MOVQ         data_len+32(FP), CX
	MOVL         base+48(FP), R8
	MOVBLZX      delim+52(FP), AX
	MOVQ         limit+56(FP), R10
	VPBROADCASTD R8, Z7                // position of the block
	VPBROADCASTB AX, Z8                // delimiters
	MOVL         $0x0a, AX
	VPBROADCASTB AX, Z9                // line feeds
	MOVL         $0x22, AX
	VPBROADCASTB AX, Z10               // quotes
	MOVL         $64, AX
	VPBROADCASTD AX, Z11
	VMOVDQU64    counting<>(SB), Z12
	XORQ         R9, R9                // line feeds found
	LEAQ         -256(DI)(R11*4), R11  // beyond it out has no room for a block's separators
	LEAQ         -64(SI)(CX*1), CX     // beyond it data has no whole block

block:
	CMPQ          SI, CX
	JGT           done
	CMPQ          DI, R11
	JGT           done
	CMPQ          R9, R10
	JGE           done
	VMOVDQU64     (SI), Z0
	VPCMPEQB      Z0, Z10, K1
	VPCMPEQB      Z0, Z9, K2
	VPCMPEQB      Z0, Z8, K3
	KORTESTQ      K1, K1
	JNZ           done
	KORQ          K2, K3, K3
	KMOVQ         K2, AX
	KMOVQ         K3, BX
	VPCOMPRESSB.Z Z12, K3, Z4
	POPCNTQ       AX, AX
	POPCNTQ       BX, BX
	ADDQ          AX, R9
	PUT(X4, 0)
	CMPQ          BX, $16
	JGT           many

next:
	LEAQ   (DI)(BX*4), DI
	VPADDD Z11, Z7, Z7
	ADDQ   $64, SI
	JMP    block

many:
	VEXTRACTI32X4 $1, Z4, X6
	PUT(X6, 64)
	VEXTRACTI32X4 $2, Z4, X6
	PUT(X6, 128)
	VEXTRACTI32X4 $3, Z4, X6
	PUT(X6, 192)
	JMP next

done:
	VZEROUPPER
	MOVQ out_base+0(FP), AX
	SUBQ AX, DI
	SHRQ $2, DI
	MOVQ data_base+24(FP), AX
	SUBQ AX, SI
	SHRQ $6, SI
	MOVQ SI, blocks+64(FP)
	MOVQ DI, found+72(FP)
	MOVQ R9, lines+80(FP)
	RET

// func blockMasksAVX2(block *[blockSize]byte, delim byte) (seps, feeds, quotes uint64)
TEXT ·blockMasksAVX2(SB), NOSPLIT, $0-40
	MOVQ         block+0(FP), SI
	MOVBLZX      delim+8(FP), AX
	MOVQ         AX, X8
	MOVL         $0x0a, AX
	MOVQ         AX, X9
	MOVL         $0x22, AX
	MOVQ         AX, X10
	VPBROADCASTB X8, Y8
	VPBROADCASTB X9, Y9
	VPBROADCASTB X10, Y10
	VMOVDQU      (SI), Y0
	VMOVDQU      32(SI), Y1
	VPCMPEQB     Y0, Y10, Y2
	VPCMPEQB     Y1, Y10, Y3
	VPCMPEQB     Y0, Y9, Y4
	VPCMPEQB     Y1, Y9, Y5
	VPCMPEQB     Y0, Y8, Y6
	VPCMPEQB     Y1, Y8, Y7
	VPMOVMSKB    Y2, AX
	VPMOVMSKB    Y3, BX
	SHLQ         $32, BX
	ORQ          BX, AX
	MOVQ         AX, quotes+32(FP)
	VPMOVMSKB    Y4, AX
	VPMOVMSKB    Y5, BX
	SHLQ         $32, BX
	ORQ          BX, AX
	MOVQ         AX, feeds+24(FP)
	VPMOVMSKB    Y6, DX
	VPMOVMSKB    Y7, BX
	SHLQ         $32, BX
	ORQ          BX, DX
	ORQ          AX, DX
	MOVQ         DX, seps+16(FP)
	VZEROUPPER
	RET
