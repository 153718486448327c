;; A matrix times a vector in SIMD: out = bias + W x, 16 rows at a time.
;; Within each block of 16 rows the weights are stored column by column, so the kernel reads them sequentially.
;; Build with `npm run build:kernel`; a test checks that matrix-kernel.wasm equals the build of this file.
(module
  (import "env" "memory" (memory 1))
  ;; Byte addresses; $blocks is rows / 16. $blocks and $columns are at least 1.
  (func (export "multiply")
    (param $weights i32) (param $x i32) (param $bias i32) (param $out i32)
    (param $blocks i32) (param $columns i32)
    (local $left i32) (local $column i32) ;; columns left in the block; address of the column's value in x
    (local $value v128)                   ;; that value in all four lanes
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (loop $block
      (local.set $sum0 (v128.load align=4 (local.get $bias)))
      (local.set $sum1 (v128.load offset=16 align=4 (local.get $bias)))
      (local.set $sum2 (v128.load offset=32 align=4 (local.get $bias)))
      (local.set $sum3 (v128.load offset=48 align=4 (local.get $bias)))
      (local.set $left (local.get $columns))
      (local.set $column (local.get $x))
      (loop $next
        (local.set $value (v128.load32_splat (local.get $column)))
        (local.set $sum0 (f32x4.add (local.get $sum0)
          (f32x4.mul (v128.load align=4 (local.get $weights)) (local.get $value))))
        (local.set $sum1 (f32x4.add (local.get $sum1)
          (f32x4.mul (v128.load offset=16 align=4 (local.get $weights)) (local.get $value))))
        (local.set $sum2 (f32x4.add (local.get $sum2)
          (f32x4.mul (v128.load offset=32 align=4 (local.get $weights)) (local.get $value))))
        (local.set $sum3 (f32x4.add (local.get $sum3)
          (f32x4.mul (v128.load offset=48 align=4 (local.get $weights)) (local.get $value))))
        (local.set $weights (i32.add (local.get $weights) (i32.const 64)))
        (local.set $column (i32.add (local.get $column) (i32.const 4)))
        (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (v128.store align=4 (local.get $out) (local.get $sum0))
      (v128.store offset=16 align=4 (local.get $out) (local.get $sum1))
      (v128.store offset=32 align=4 (local.get $out) (local.get $sum2))
      (v128.store offset=48 align=4 (local.get $out) (local.get $sum3))
      (local.set $bias (i32.add (local.get $bias) (i32.const 64)))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (br_if $block (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1)))))))
