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

// func linesByAVX512(data []byte, limit int, stop byte) (blocks, found int, feeds uint64, odd bool)
TEXT ·linesByAVX512(SB), NOSPLIT, $0-65
	LINEARGS(done)
	MOVBLZX      stop+32(FP), AX
	VPBROADCASTB AX, Z1
	MOVL         $0x0a, AX
	VPBROADCASTB AX, Z2
	MOVL         $0x20, AX
	VPBROADCASTB AX, Z3

block:
	VMOVDQU64 (SI), Z4
	VPCMPEQB  Z2, Z4, K1
	VPCMPEQB  Z1, Z4, K2
	KMOVQ     K1, R8
	KORTESTQ  K2, K2
	JNE       odd
	MOVQ      R8, R11
	ORQ       R10, R11
	JEQ       next
	LEAQ      (R10)(R8*2), R12
	VPCMPUB   $2, Z3, Z4, K3
	KMOVQ     K3, R11
	TESTQ     R11, R12
	JNE       odd
	POPCNTQ   R8, R11
	ADDQ      DI, R11
	CMPQ      R11, DX
	JGE       done
	MOVQ      R11, DI
	MOVQ      R8, R10
	SHRQ      $63, R10

next:
	ADDQ $64, SI
	CMPQ SI, CX
	JLS  block
	XORQ R8, R8

done:
	LINERESULTS
	RET

odd:
	MOVQ $1, R9
	JMP  done

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
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5
	BYTES(Y2, R8)
	BYTES(Y1, R11)
	TESTQ   R11, R11
	JNE     odd
	MOVQ    R8, R11
	ORQ     R10, R11
	JEQ     next
	LEAQ    (R10)(R8*2), R12
	VPMINUB Y4, Y3, Y6
	VPMINUB Y5, Y3, Y7
	VPCMPEQB Y4, Y6, Y6
	VPCMPEQB Y5, Y7, Y7
	VPMOVMSKB Y6, R11
	VPMOVMSKB Y7, R13
	SHLQ    $32, R13
	ORQ     R13, R11
	TESTQ   R11, R12
	JNE     odd
	POPCNTQ R8, R11
	ADDQ    DI, R11
	CMPQ    R11, DX
	JGE     done
	MOVQ    R11, DI
	MOVQ    R8, R10
	SHRQ    $63, R10

next:
	ADDQ $64, SI
	CMPQ SI, CX
	JLS  block
	XORQ R8, R8

done:
	LINERESULTS
	RET

odd:
	MOVQ $1, R9
	JMP  done
