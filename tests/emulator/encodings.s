// Every scalar and memory instruction that the emulator knows, one a line. clang assembles it when the tests are built;
// encodings_test compares names and encodings. Lines of other sections (vector) may be added.
s_add_u32 s0,s1,s2
s_sub_u32 s0,s1,s2
s_add_i32 s0,s1,s2
s_sub_i32 s0,s1,s2
s_addc_u32 s0,s1,s2
s_subb_u32 s0,s1,s2
s_absdiff_i32 s0,s1,s2
s_lshl_b32 s0,s1,s2
s_lshl_b64 s[0:1],s[2:3],s2
s_lshr_b32 s0,s1,s2
s_lshr_b64 s[0:1],s[2:3],s2
s_ashr_i32 s0,s1,s2
s_ashr_i64 s[0:1],s[2:3],s2
s_lshl1_add_u32 s0,s1,s2
s_lshl2_add_u32 s0,s1,s2
s_lshl3_add_u32 s0,s1,s2
s_lshl4_add_u32 s0,s1,s2
s_min_i32 s0,s1,s2
s_min_u32 s0,s1,s2
s_max_i32 s0,s1,s2
s_max_u32 s0,s1,s2
s_and_b32 s0,s1,s2
s_and_b64 s[0:1],s[2:3],s[2:3]
s_or_b32 s0,s1,s2
s_or_b64 s[0:1],s[2:3],s[2:3]
s_xor_b32 s0,s1,s2
s_xor_b64 s[0:1],s[2:3],s[2:3]
s_nand_b32 s0,s1,s2
s_nand_b64 s[0:1],s[2:3],s[2:3]
s_nor_b32 s0,s1,s2
s_nor_b64 s[0:1],s[2:3],s[2:3]
s_xnor_b32 s0,s1,s2
s_xnor_b64 s[0:1],s[2:3],s[2:3]
s_and_not1_b32 s0,s1,s2
s_and_not1_b64 s[0:1],s[2:3],s[2:3]
s_or_not1_b32 s0,s1,s2
s_or_not1_b64 s[0:1],s[2:3],s[2:3]
s_bfe_u32 s0,s1,s2
s_bfe_i32 s0,s1,s2
s_bfe_u64 s[0:1],s[2:3],s2
s_bfe_i64 s[0:1],s[2:3],s2
s_bfm_b32 s0,s1,s2
s_bfm_b64 s[0:1],s1,s2
s_mul_i32 s0,s1,s2
s_mul_hi_u32 s0,s1,s2
s_mul_hi_i32 s0,s1,s2
s_cselect_b32 s0,s1,s2
s_cselect_b64 s[0:1],s[2:3],s[2:3]
s_pack_ll_b32_b16 s0,s1,s2
s_pack_lh_b32_b16 s0,s1,s2
s_pack_hh_b32_b16 s0,s1,s2
s_pack_hl_b32_b16 s0,s1,s2
s_add_f32 s0,s1,s2
s_sub_f32 s0,s1,s2
s_min_f32 s0,s1,s2
s_max_f32 s0,s1,s2
s_mul_f32 s0,s1,s2
s_fmaak_f32 s0,s1,s2,0x1234
s_fmamk_f32 s0,s1,0x1234,s2
s_fmac_f32 s0,s1,s2
s_cvt_pk_rtz_f16_f32 s0,s1,s2
s_add_f16 s0,s1,s2
s_sub_f16 s0,s1,s2
s_min_f16 s0,s1,s2
s_max_f16 s0,s1,s2
s_mul_f16 s0,s1,s2
s_fmac_f16 s0,s1,s2
s_mov_b32 s0,s1
s_mov_b64 s[0:1],s[2:3]
s_cmov_b32 s0,s1
s_cmov_b64 s[0:1],s[2:3]
s_brev_b32 s0,s1
s_brev_b64 s[0:1],s[2:3]
s_ctz_i32_b32 s0,s1
s_ctz_i32_b64 s0,s[2:3]
s_clz_i32_u32 s0,s1
s_clz_i32_u64 s0,s[2:3]
s_cls_i32 s0,s1
s_cls_i32_i64 s0,s[2:3]
s_sext_i32_i8 s0,s1
s_sext_i32_i16 s0,s1
s_bitset0_b32 s0,s1
s_bitset0_b64 s[0:1],s1
s_bitset1_b32 s0,s1
s_bitset1_b64 s[0:1],s1
s_bitreplicate_b64_b32 s[0:1],s1
s_abs_i32 s0,s1
s_bcnt0_i32_b32 s0,s1
s_bcnt0_i32_b64 s0,s[2:3]
s_bcnt1_i32_b32 s0,s1
s_bcnt1_i32_b64 s0,s[2:3]
s_quadmask_b32 s0,s1
s_quadmask_b64 s[0:1],s[2:3]
s_wqm_b32 s0,s1
s_wqm_b64 s[0:1],s[2:3]
s_not_b32 s0,s1
s_not_b64 s[0:1],s[2:3]
s_and_saveexec_b32 s0,s1
s_and_saveexec_b64 s[0:1],s[2:3]
s_or_saveexec_b32 s0,s1
s_or_saveexec_b64 s[0:1],s[2:3]
s_xor_saveexec_b32 s0,s1
s_xor_saveexec_b64 s[0:1],s[2:3]
s_nand_saveexec_b32 s0,s1
s_nand_saveexec_b64 s[0:1],s[2:3]
s_nor_saveexec_b32 s0,s1
s_nor_saveexec_b64 s[0:1],s[2:3]
s_xnor_saveexec_b32 s0,s1
s_xnor_saveexec_b64 s[0:1],s[2:3]
s_and_not0_saveexec_b32 s0,s1
s_and_not0_saveexec_b64 s[0:1],s[2:3]
s_or_not0_saveexec_b32 s0,s1
s_or_not0_saveexec_b64 s[0:1],s[2:3]
s_and_not1_saveexec_b32 s0,s1
s_and_not1_saveexec_b64 s[0:1],s[2:3]
s_or_not1_saveexec_b32 s0,s1
s_or_not1_saveexec_b64 s[0:1],s[2:3]
s_and_not0_wrexec_b32 s0,s1
s_and_not0_wrexec_b64 s[0:1],s[2:3]
s_and_not1_wrexec_b32 s0,s1
s_and_not1_wrexec_b64 s[0:1],s[2:3]
s_movrels_b32 s0,s1
s_movrels_b64 s[0:1],s[2:3]
s_movreld_b32 s0,s1
s_movreld_b64 s[0:1],s[2:3]
s_getpc_b64 s[0:1]
s_setpc_b64 s[0:1]
s_swappc_b64 s[0:1],s[2:3]
s_sendmsg_rtn_b64 s[0:1],sendmsg(MSG_RTN_GET_REALTIME)
s_ceil_f32 s0,s1
s_floor_f32 s0,s1
s_trunc_f32 s0,s1
s_rndne_f32 s0,s1
s_cvt_f32_i32 s0,s1
s_cvt_f32_u32 s0,s1
s_cvt_i32_f32 s0,s1
s_cvt_u32_f32 s0,s1
s_cvt_f16_f32 s0,s1
s_cvt_f32_f16 s0,s1
s_cvt_hi_f32_f16 s0,s1
s_ceil_f16 s0,s1
s_floor_f16 s0,s1
s_trunc_f16 s0,s1
s_rndne_f16 s0,s1
s_cmp_eq_i32 s1,s2
s_cmp_lg_i32 s1,s2
s_cmp_gt_i32 s1,s2
s_cmp_ge_i32 s1,s2
s_cmp_lt_i32 s1,s2
s_cmp_le_i32 s1,s2
s_cmp_eq_u32 s1,s2
s_cmp_lg_u32 s1,s2
s_cmp_gt_u32 s1,s2
s_cmp_ge_u32 s1,s2
s_cmp_lt_u32 s1,s2
s_cmp_le_u32 s1,s2
s_bitcmp0_b32 s1,s2
s_bitcmp1_b32 s1,s2
s_bitcmp0_b64 s[2:3],s2
s_bitcmp1_b64 s[2:3],s2
s_cmp_eq_u64 s[2:3],s[2:3]
s_cmp_lg_u64 s[2:3],s[2:3]
s_cmp_lt_f32 s1,s2
s_cmp_eq_f32 s1,s2
s_cmp_le_f32 s1,s2
s_cmp_gt_f32 s1,s2
s_cmp_lg_f32 s1,s2
s_cmp_ge_f32 s1,s2
s_cmp_o_f32 s1,s2
s_cmp_u_f32 s1,s2
s_cmp_nge_f32 s1,s2
s_cmp_nlg_f32 s1,s2
s_cmp_ngt_f32 s1,s2
s_cmp_nle_f32 s1,s2
s_cmp_neq_f32 s1,s2
s_cmp_nlt_f32 s1,s2
s_cmp_lt_f16 s1,s2
s_cmp_eq_f16 s1,s2
s_cmp_le_f16 s1,s2
s_cmp_gt_f16 s1,s2
s_cmp_lg_f16 s1,s2
s_cmp_ge_f16 s1,s2
s_cmp_o_f16 s1,s2
s_cmp_u_f16 s1,s2
s_cmp_nge_f16 s1,s2
s_cmp_nlg_f16 s1,s2
s_cmp_ngt_f16 s1,s2
s_cmp_nle_f16 s1,s2
s_cmp_neq_f16 s1,s2
s_cmp_nlt_f16 s1,s2
s_movk_i32 s0,1
s_version 1
s_cmovk_i32 s0,1
s_cmpk_eq_i32 s0,1
s_cmpk_lg_i32 s0,1
s_cmpk_gt_i32 s0,1
s_cmpk_ge_i32 s0,1
s_cmpk_lt_i32 s0,1
s_cmpk_le_i32 s0,1
s_cmpk_eq_u32 s0,1
s_cmpk_lg_u32 s0,1
s_cmpk_gt_u32 s0,1
s_cmpk_ge_u32 s0,1
s_cmpk_lt_u32 s0,1
s_cmpk_le_u32 s0,1
s_addk_i32 s0,1
s_mulk_i32 s0,1
s_getreg_b32 s0,hwreg(HW_REG_MODE,0,32)
s_setreg_b32 hwreg(HW_REG_MODE,0,32),s0
s_setreg_imm32_b32 hwreg(HW_REG_MODE,0,32),0x11
s_call_b64 s[0:1],4
s_waitcnt_vscnt null,0
s_waitcnt_vmcnt null,0
s_waitcnt_expcnt null,0
s_waitcnt_lgkmcnt null,0
s_nop 1
s_sleep 1
s_set_inst_prefetch_distance 1
s_clause 1
s_delay_alu 1
s_waitcnt_depctr 1
s_waitcnt vmcnt(1) expcnt(2) lgkmcnt(3)
s_waitcnt vmcnt(63) lgkmcnt(63)
s_wait_idle
s_wait_event 1
s_trap 1
s_round_mode 1
s_denorm_mode 1
s_code_end
s_branch 1
s_cbranch_scc0 1
s_cbranch_scc1 1
s_cbranch_vccz 1
s_cbranch_vccnz 1
s_cbranch_execz 1
s_cbranch_execnz 1
s_endpgm
s_endpgm_saved
s_wakeup
s_setprio 1
s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
s_incperflevel 1
s_decperflevel 1
s_icache_inv
s_barrier
s_load_b32 s0,s[2:3],0x4
s_load_b64 s[0:1],s[2:3],s5 offset:4
s_load_b128 s[0:3],s[2:3],-4
s_load_b256 s[0:7],s[2:3],s5
s_load_b512 s[0:15],s[2:3],0 glc dlc
s_buffer_load_b32 s0,s[4:7],0
s_buffer_load_b64 s[0:1],s[4:7],0
s_buffer_load_b128 s[0:3],s[4:7],0
s_buffer_load_b256 s[8:15],s[4:7],0
s_buffer_load_b512 s[8:23],s[4:7],0
s_gl1_inv
s_dcache_inv
global_load_u8 v1,v[2:3],off
global_load_i8 v1,v2,s[4:5] offset:-3
global_load_u16 v1,v[2:3],off glc
global_load_i16 v1,v[2:3],off slc
global_load_b32 v1,v[2:3],off dlc
global_load_b64 v[4:5],v[2:3],off
global_load_b96 v[4:6],v[2:3],off
global_load_b128 v[4:7],v[2:3],off
global_store_b8 v[2:3],v1,off
global_store_b16 v2,v1,s[4:5]
global_store_b32 v[2:3],v1,off
global_store_b64 v[2:3],v[4:5],off
global_store_b96 v[2:3],v[4:6],off
global_store_b128 v[2:3],v[4:7],off
global_load_d16_u8 v1,v[2:3],off
global_load_d16_i8 v1,v[2:3],off
global_load_d16_b16 v1,v[2:3],off
global_load_d16_hi_u8 v1,v[2:3],off
global_load_d16_hi_i8 v1,v[2:3],off
global_load_d16_hi_b16 v1,v[2:3],off
global_store_d16_hi_b8 v[2:3],v1,off
global_store_d16_hi_b16 v[2:3],v1,off
global_atomic_swap_b32 v1,v[2:3],v5,off glc
global_atomic_cmpswap_b32 v1,v[2:3],v[4:5],off glc
global_atomic_add_u32 v1,v[2:3],v5,off glc
global_atomic_sub_u32 v[2:3],v5,off
global_atomic_csub_u32 v1,v[2:3],v5,off glc
global_atomic_min_i32 v[2:3],v5,off
global_atomic_min_u32 v[2:3],v5,off
global_atomic_max_i32 v[2:3],v5,off
global_atomic_max_u32 v[2:3],v5,off
global_atomic_and_b32 v[2:3],v5,off
global_atomic_or_b32 v[2:3],v5,off
global_atomic_xor_b32 v[2:3],v5,off
global_atomic_inc_u32 v[2:3],v5,off
global_atomic_dec_u32 v[2:3],v5,off
global_atomic_swap_b64 v[2:3],v[4:5],off
global_atomic_cmpswap_b64 v[2:3],v[4:7],off
global_atomic_add_u64 v[2:3],v[4:5],off
global_atomic_sub_u64 v[2:3],v[4:5],off
global_atomic_min_i64 v[2:3],v[4:5],off
global_atomic_min_u64 v[2:3],v[4:5],off
global_atomic_max_i64 v[2:3],v[4:5],off
global_atomic_max_u64 v[2:3],v[4:5],off
global_atomic_and_b64 v[2:3],v[4:5],off
global_atomic_or_b64 v[2:3],v[4:5],off
global_atomic_xor_b64 v[2:3],v[4:5],off
global_atomic_inc_u64 v[2:3],v[4:5],off
global_atomic_dec_u64 v[2:3],v[4:5],off
global_atomic_cmpswap_f32 v[2:3],v[4:5],off
global_atomic_min_f32 v[2:3],v5,off
global_atomic_max_f32 v[2:3],v5,off
global_atomic_add_f32 v[2:3],v5,off
scratch_load_b32 v1,off,off
scratch_load_b32 v1,v2,off offset:4
scratch_load_b32 v1,off,s3
scratch_load_b32 v1,v2,s3
scratch_store_b128 v2,v[4:7],off
ds_add_u32 v1,v2 offset:4
ds_sub_u32 v1,v2
ds_rsub_u32 v1,v2
ds_inc_u32 v1,v2
ds_dec_u32 v1,v2
ds_min_i32 v1,v2
ds_max_i32 v1,v2
ds_min_u32 v1,v2
ds_max_u32 v1,v2
ds_and_b32 v1,v2
ds_or_b32 v1,v2
ds_xor_b32 v1,v2
ds_mskor_b32 v1,v2,v3
ds_store_b32 v1,v2
ds_store_2addr_b32 v1,v2,v3 offset0:1 offset1:2
ds_store_2addr_stride64_b32 v1,v2,v3 offset0:1 offset1:2
ds_cmpstore_b32 v1,v2,v3
ds_cmpstore_f32 v1,v2,v3
ds_min_f32 v1,v2
ds_max_f32 v1,v2
ds_nop
ds_add_f32 v1,v2
ds_store_b8 v1,v2
ds_store_b16 v1,v2
ds_add_rtn_u32 v0,v1,v2
ds_sub_rtn_u32 v0,v1,v2
ds_rsub_rtn_u32 v0,v1,v2
ds_inc_rtn_u32 v0,v1,v2
ds_dec_rtn_u32 v0,v1,v2
ds_min_rtn_i32 v0,v1,v2
ds_max_rtn_i32 v0,v1,v2
ds_min_rtn_u32 v0,v1,v2
ds_max_rtn_u32 v0,v1,v2
ds_and_rtn_b32 v0,v1,v2
ds_or_rtn_b32 v0,v1,v2
ds_xor_rtn_b32 v0,v1,v2
ds_mskor_rtn_b32 v0,v1,v2,v3
ds_storexchg_rtn_b32 v0,v1,v2
ds_cmpstore_rtn_b32 v0,v1,v2,v3
ds_cmpstore_rtn_f32 v0,v1,v2,v3
ds_min_rtn_f32 v0,v1,v2
ds_max_rtn_f32 v0,v1,v2
ds_swizzle_b32 v0,v1 offset:5
ds_load_b32 v0,v1
ds_load_2addr_b32 v[8:9],v1 offset0:1 offset1:2
ds_load_2addr_stride64_b32 v[8:9],v1 offset0:1 offset1:2
ds_load_i8 v0,v1
ds_load_u8 v0,v1
ds_load_i16 v0,v1
ds_load_u16 v0,v1
ds_store_b64 v1,v[2:3]
ds_store_2addr_b64 v1,v[2:3],v[4:5]
ds_store_2addr_stride64_b64 v1,v[2:3],v[4:5]
ds_add_rtn_u64 v[8:9],v1,v[2:3]
ds_add_rtn_f32 v0,v1,v2
ds_load_b64 v[8:9],v1
ds_load_2addr_b64 v[8:11],v1 offset0:1 offset1:2
ds_load_2addr_stride64_b64 v[8:11],v1 offset0:1 offset1:2
ds_store_b8_d16_hi v1,v2
ds_store_b16_d16_hi v1,v2
ds_load_u8_d16 v0,v1
ds_load_u8_d16_hi v0,v1
ds_load_i8_d16 v0,v1
ds_load_i8_d16_hi v0,v1
ds_load_u16_d16 v0,v1
ds_load_u16_d16_hi v0,v1
ds_permute_b32 v0,v1,v2
ds_bpermute_b32 v0,v1,v2
ds_store_b96 v1,v[4:6]
ds_store_b128 v1,v[4:7]
ds_load_b96 v[4:6],v1
ds_load_b128 v[4:7],v1
buffer_load_u8 v1,v2,s[4:7],s3 offen offset:4
buffer_load_i8 v1,v2,s[4:7],s3 idxen
buffer_load_u16 v1,v[2:3],s[4:7],s3 idxen offen
buffer_load_i16 v1,off,s[4:7],s3
buffer_load_b32 v1,off,s[4:7],s3 glc
buffer_load_b64 v[8:9],off,s[4:7],s3 slc
buffer_load_b96 v[8:10],off,s[4:7],s3 dlc
buffer_load_b128 v[8:11],off,s[4:7],0
buffer_store_b8 v1,off,s[4:7],s3
buffer_store_b16 v1,off,s[4:7],s3
buffer_store_b32 v1,off,s[4:7],s3
buffer_store_b64 v[8:9],off,s[4:7],s3
buffer_store_b96 v[8:10],off,s[4:7],s3
buffer_store_b128 v[8:11],off,s[4:7],s3
buffer_load_d16_u8 v1,off,s[4:7],s3
buffer_load_d16_hi_b16 v1,off,s[4:7],s3
buffer_store_d16_hi_b16 v1,off,s[4:7],s3
buffer_atomic_add_u32 v1,off,s[4:7],s3
buffer_atomic_add_f32 v1,off,s[4:7],s3
buffer_gl0_inv
buffer_gl1_inv
ds_add_u64 v1,v[2:3]
ds_min_u64 v1,v[2:3]
ds_max_u64 v1,v[2:3]
ds_min_rtn_u64 v[8:9],v1,v[2:3]
ds_max_rtn_u64 v[8:9],v1,v[2:3]
flat_load_b32 v1,v[2:3] offset:8
flat_store_b32 v[2:3],v1
flat_atomic_add_u32 v[2:3],v1
