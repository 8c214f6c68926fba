// y[t] = x[t] + 1 for 64 values. A compiler never leaves a wait out, so these are written by hand, for gfx11:
//   missing_wait_right    waits for all that it uses
//   missing_wait_scalar   uses the arguments before they are there
//   missing_wait_load     uses a loaded value before it is there
//   missing_wait_second   has two loads under way, waits for the first, and uses the second
//   missing_wait_lds      uses a value of LDS before it is there
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1151"
    .amdhsa_code_object_version 5
    .text

    .macro kernel name
    .globl \name
    .p2align 8
    .type \name,@function
\name:
    s_load_b128 s[4:7], s[0:1], 0x0          // y, x
    v_lshlrev_b32_e32 v1, 2, v0              // byte of the thread's value
    .endm

    .macro end_kernel name lds=0
    global_store_b32 v1, v2, s[4:5]
    s_endpgm
.L\name\()_end:
    .size \name, .L\name\()_end - \name
    .section .rodata,"a",@progbits
    .p2align 6
    .amdhsa_kernel \name
      .amdhsa_group_segment_fixed_size \lds
      .amdhsa_kernarg_size 24
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_wavefront_size32 1
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 8
    .end_amdhsa_kernel
    .text
    .endm

    kernel missing_wait_right
    s_waitcnt lgkmcnt(0)
    global_load_b32 v2, v1, s[6:7]
    s_waitcnt vmcnt(0)
    v_add_f32_e32 v2, 1.0, v2
    end_kernel missing_wait_right

    kernel missing_wait_scalar
    global_load_b32 v2, v1, s[6:7]
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_add_f32_e32 v2, 1.0, v2
    end_kernel missing_wait_scalar

    kernel missing_wait_load
    s_waitcnt lgkmcnt(0)
    global_load_b32 v2, v1, s[6:7]
    v_add_f32_e32 v2, 1.0, v2
    end_kernel missing_wait_load

    kernel missing_wait_second
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v4, 0
    global_load_b32 v3, v4, s[6:7]
    global_load_b32 v2, v1, s[6:7]
    s_waitcnt vmcnt(1)
    v_add_f32_e32 v2, 1.0, v2
    end_kernel missing_wait_second

    kernel missing_wait_lds
    s_waitcnt lgkmcnt(0)
    global_load_b32 v2, v1, s[6:7]
    s_waitcnt vmcnt(0)
    ds_store_b32 v1, v2
    ds_load_b32 v3, v1
    v_add_f32_e32 v2, 1.0, v3
    end_kernel missing_wait_lds, 256

    .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx1151
amdhsa.kernels:
  - .name: missing_wait_right
    .symbol: missing_wait_right.kd
    .args: [ { .offset: 0, .size: 24, .value_kind: by_value } ]
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .private_segment_fixed_size: 0
    .sgpr_count: 8
    .sgpr_spill_count: 0
    .vgpr_count: 8
    .vgpr_spill_count: 0
    .wavefront_size: 32
  - .name: missing_wait_scalar
    .symbol: missing_wait_scalar.kd
    .args: [ { .offset: 0, .size: 24, .value_kind: by_value } ]
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .private_segment_fixed_size: 0
    .sgpr_count: 8
    .sgpr_spill_count: 0
    .vgpr_count: 8
    .vgpr_spill_count: 0
    .wavefront_size: 32
  - .name: missing_wait_load
    .symbol: missing_wait_load.kd
    .args: [ { .offset: 0, .size: 24, .value_kind: by_value } ]
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .private_segment_fixed_size: 0
    .sgpr_count: 8
    .sgpr_spill_count: 0
    .vgpr_count: 8
    .vgpr_spill_count: 0
    .wavefront_size: 32
  - .name: missing_wait_second
    .symbol: missing_wait_second.kd
    .args: [ { .offset: 0, .size: 24, .value_kind: by_value } ]
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .private_segment_fixed_size: 0
    .sgpr_count: 8
    .sgpr_spill_count: 0
    .vgpr_count: 8
    .vgpr_spill_count: 0
    .wavefront_size: 32
  - .name: missing_wait_lds
    .symbol: missing_wait_lds.kd
    .args: [ { .offset: 0, .size: 24, .value_kind: by_value } ]
    .group_segment_fixed_size: 256
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .private_segment_fixed_size: 0
    .sgpr_count: 8
    .sgpr_spill_count: 0
    .vgpr_count: 8
    .vgpr_spill_count: 0
    .wavefront_size: 32
...
    .end_amdgpu_metadata
