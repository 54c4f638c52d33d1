//go:build amd64 && !purego

#include "textflag.h"

// LINEARGS loads the arguments: SI is the next block, CX the last, DX the limit, DI the line feeds passed, R10 whether the next
// block begins a line, R9 whether a block was odd. It jumps to none when there is no block, R8 being zero.
#define LINEARGS(none) \
	MOVQ data_base+0(FP), SI \
	MOVQ data_len+8(FP), CX  \
	MOVQ limit+24(FP), DX    \
	XORQ DI, DI              \
	XORQ R8, R8              \
	XORQ R9, R9              \
	MOVQ $1, R10             \
	SUBQ $64, CX             \
	JLT  none                \
	ADDQ SI, CX

// LINERESULTS stores the counts; R8 are the line feeds of the block stopped before.
#define LINERESULTS \
	VZEROUPPER              \
	MOVQ data_base+0(FP), AX \
	SUBQ AX, SI              \
	SHRQ $6, SI              \
	MOVQ SI, blocks+40(FP)   \
	MOVQ DI, found+48(FP)    \
	MOVQ R8, feeds+56(FP)    \
	MOVB R9, odd+64(FP)

// FOUR looks at a block of four, offset from SI. It adds to R8 the line feeds among the bytes one before, which begin the lines
// whose first bytes it brings down Z6 to; Z7 comes down to zero at a stop.
#define FOUR(offset) \
	VMOVDQU64 offset(SI), Z4    \
	VPCMPEQB  offset-1(SI), Z2, K1 \
	VPMINUB   Z4, Z6, K1, Z6    \
	VPXORQ    Z1, Z4, Z4        \
	VPMINUB   Z4, Z7, Z7        \
	KMOVQ     K1, R11           \
	POPCNTQ   R11, R11          \
	ADDQ      R11, R8

// PASS takes the line feeds in k, which are those up to offset from SI, over into R8, DI and R12 when the limit is behind them.
#define PASS(k, offset) \
	KMOVQ   k, R11      \
	POPCNTQ R11, R11    \
	ADDQ    R11, R8     \
	MOVQ    $offset, R13 \
	CMPQ    R8, DX      \
	CMOVQLT R8, DI      \
	CMOVQLT R13, R12

// func linesByAVX512(data []byte, limit int, stop byte) (blocks, found int, feeds uint64, odd bool)
//
// The length of lines is anything, so nothing but the end of the search is decided by branches. The first block is looked at by
// itself, the others four at a time as long as the end is not among them.
TEXT ·linesByAVX512(SB), NOSPLIT, $0-65
	LINEARGS(done)
	MOVBLZX      stop+32(FP), AX
	VPBROADCASTB AX, Z1
	MOVL         $0x0a, AX
	VPBROADCASTB AX, Z2
	MOVL         $0x20, AX
	VPBROADCASTB AX, Z3
	VPTERNLOGD   $0xff, Z8, Z8, Z8
	MOVQ         $1, BX                // blocks to look at one by one

block:
	VMOVDQU64 (SI), Z4
	VPCMPEQB  Z2, Z4, K1
	VPCMPUB   $2, Z3, Z4, K2
	VPCMPEQB  Z1, Z4, K3
	KMOVQ     K1, R8
	KMOVQ     K2, R11
	LEAQ      (R10)(R8*2), R12
	ANDQ      R12, R11
	KORTESTQ  K3, K3
	JNE       odd
	TESTQ     R11, R11
	JNE       odd
	POPCNTQ   R8, R11
	ADDQ      DI, R11
	CMPQ      R11, DX
	JGE       done
	MOVQ      R11, DI
	MOVQ      R8, R10
	SHRQ      $63, R10
	ADDQ      $64, SI
	CMPQ      SI, CX
	JHI       end
	DECQ      BX
	JNE       block

four:
	MOVQ      $4, BX
	LEAQ      192(SI), R11
	CMPQ      R11, CX
	JHI       block
	VMOVDQA64 Z8, Z6
	VMOVDQA64 Z8, Z7
	MOVQ      DI, R8
	FOUR(0)
	FOUR(64)
	FOUR(128)
	FOUR(192)
	VPCMPUB   $2, Z3, Z6, K2
	VPTESTNMB Z7, Z7, K3
	KORTESTQ  K2, K3
	JNE       block
	SUBQ      R10, R8
	XORL      R11, R11
	CMPB      255(SI), $0x0a
	SETEQ     R11
	ADDQ      R11, R8
	CMPQ      R8, DX
	JGE       last
	MOVQ      R8, DI
	MOVQ      R11, R10
	ADDQ      $256, SI
	CMPQ      SI, CX
	JLS       four

end:
	XORQ R8, R8

done:
	LINERESULTS
	RET

odd:
	MOVQ $1, R9
	JMP  done

last:
	VPCMPEQB (SI), Z2, K1
	VPCMPEQB 64(SI), Z2, K2
	VPCMPEQB 128(SI), Z2, K3
	MOVQ     DI, R8
	XORL     R12, R12
	PASS(K1, 64)
	PASS(K2, 128)
	PASS(K3, 192)
	ADDQ     R12, SI
	XORL     R10, R10
	JMP      block

// BYTES leaves in reg a bit for each byte of Y4 and Y5 that is that of y.
#define BYTES(y, reg) \
	VPCMPEQB  Y4, y, Y6 \
	VPCMPEQB  Y5, y, Y7 \
	VPMOVMSKB Y6, reg   \
	VPMOVMSKB Y7, R13   \
	SHLQ      $32, R13  \
	ORQ       R13, reg

// func linesByAVX2(data []byte, limit int, stop byte) (blocks, found int, feeds uint64, odd bool)
TEXT ·linesByAVX2(SB), NOSPLIT, $0-65
	LINEARGS(done)
	MOVBLZX      stop+32(FP), AX
	VMOVD        AX, X1
	VPBROADCASTB X1, Y1
	MOVL         $0x0a, AX
	VMOVD        AX, X2
	VPBROADCASTB X2, Y2
	MOVL         $0x20, AX
	VMOVD        AX, X3
	VPBROADCASTB X3, Y3

block:
	VMOVDQU   (SI), Y4
	VMOVDQU   32(SI), Y5
	BYTES(Y2, R8)
	BYTES(Y1, R12)
	VPMINUB   Y4, Y3, Y6
	VPMINUB   Y5, Y3, Y7
	VPCMPEQB  Y4, Y6, Y6
	VPCMPEQB  Y5, Y7, Y7
	VPMOVMSKB Y6, R11
	VPMOVMSKB Y7, R13
	SHLQ      $32, R13
	ORQ       R13, R11
	LEAQ      (R10)(R8*2), R13
	ANDQ      R13, R11
	ORQ       R12, R11
	JNE       odd
	POPCNTQ   R8, R11
	ADDQ      DI, R11
	CMPQ      R11, DX
	JGE       done
	MOVQ      R11, DI
	MOVQ      R8, R10
	SHRQ      $63, R10
	ADDQ      $64, SI
	CMPQ      SI, CX
	JLS       block
	XORQ      R8, R8

done:
	LINERESULTS
	RET

odd:
	MOVQ $1, R9
	JMP  done
