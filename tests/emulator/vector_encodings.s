// Vector instructions of gfx11 with operands and modifiers of all kinds: what the assembler makes of these lines must be
// what the decoder reads (vector_decode_test.cpp). One instruction a line, every row of the tables at least once.
v_nop
v_mov_b32_e32 v4, s52
v_readfirstlane_b32 s0, v86
v_cvt_i32_f64_e32 v18, v[104:105]
v_cvt_f64_i32_e32 v[20:21], s30
v_cvt_f32_i32_e32 v2, v32
v_cvt_f32_u32_e32 v46, v44
v_cvt_u32_f32_e32 v50, s24
v_cvt_i32_f32_e32 v0, v56
v_cvt_f16_f32_e32 v46.l, v126
v_cvt_f32_f16_e32 v28, v78.l
v_cvt_nearest_i32_f32_e32 v42, v22
v_cvt_floor_i32_f32_e32 v30, v124
v_cvt_off_f32_i4_e32 v8, v14
v_cvt_f32_f64_e32 v12, v[4:5]
v_cvt_f64_f32_e32 v[24:25], s4
v_cvt_f32_ubyte0_e32 v14, v90
v_cvt_f32_ubyte1_e32 v24, v34
v_cvt_f32_ubyte2_e32 v6, v106
v_cvt_f32_ubyte3_e32 v2, v70
v_cvt_u32_f64_e32 v34, s[60:61]
v_cvt_f64_u32_e32 v[60:61], v104
v_trunc_f64_e32 v[52:53], v[82:83]
v_ceil_f64_e32 v[8:9], s[24:25]
v_rndne_f64_e32 v[60:61], s[8:9]
v_floor_f64_e32 v[22:23], v[104:105]
v_pipeflush
v_mov_b16_e32 v58.l, v36.l
v_fract_f32_e32 v58, v6
v_trunc_f32_e32 v22, v18
v_ceil_f32_e32 v24, v12
v_rndne_f32_e32 v48, v90
v_floor_f32_e32 v50, s30
v_exp_f32_e32 v54, v68
v_log_f32_e32 v60, v110
v_rcp_f32_e32 v62, v80
v_rcp_iflag_f32_e32 v32, v82
v_rsq_f32_e32 v6, v76
v_rcp_f64_e32 v[8:9], v[80:81]
v_rsq_f64_e32 v[6:7], v[50:51]
v_sqrt_f32_e32 v18, v34
v_sqrt_f64_e32 v[38:39], v[76:77]
v_sin_f32_e32 v28, v70
v_cos_f32_e32 v6, v78
v_not_b32_e32 v30, v22
v_bfrev_b32_e32 v16, v20
v_clz_i32_u32_e32 v58, v10
v_ctz_i32_b32_e32 v44, v14
v_cls_i32_e32 v14, v34
v_frexp_exp_i32_f64_e32 v50, v[8:9]
v_frexp_mant_f64_e32 v[62:63], s[42:43]
v_fract_f64_e32 v[30:31], v[68:69]
v_frexp_exp_i32_f32_e32 v38, s32
v_frexp_mant_f32_e32 v20, v86
v_movreld_b32_e32 v26, v14
v_movrels_b32_e32 v22, v24
v_movrelsd_b32_e32 v6, v78
v_movrelsd_2_b32_e32 v16, v12
v_cvt_f16_u16_e32 v18.l, s36
v_cvt_f16_i16_e32 v18.l, v126.l
v_cvt_u16_f16_e32 v0.l, v50.l
v_cvt_i16_f16_e32 v44.l, v88.l
v_rcp_f16_e32 v38.l, v32.l
v_sqrt_f16_e32 v20.l, v78.l
v_rsq_f16_e32 v58.l, s34
v_log_f16_e32 v4.l, v116.l
v_exp_f16_e32 v32.l, v54.l
v_frexp_mant_f16_e32 v8.l, s42
v_frexp_exp_i16_f16_e32 v16.l, v2.l
v_floor_f16_e32 v22.l, v106.l
v_ceil_f16_e32 v4.l, v90.l
v_trunc_f16_e32 v32.l, s38
v_rndne_f16_e32 v22.l, v30.l
v_fract_f16_e32 v10.l, v6.l
v_sin_f16_e32 v44.l, v38.l
v_cos_f16_e32 v22.l, v68.l
v_sat_pk_u8_i16_e32 v12.l, s40
v_cvt_norm_i16_f16_e32 v32.l, v120.l
v_cvt_norm_u16_f16_e32 v44.l, v52.l
v_swap_b32 v50, v90
v_permlane64_b32 v50, v100
v_not_b16_e32 v60.l, v114.l
v_cvt_i32_i16_e32 v50, s4
v_cvt_u32_u16_e32 v6, s50
v_cndmask_b32_e32 v42, v42, v126, vcc_lo
v_dot2acc_f32_f16 v64, 1.0, v98
v_add_f32_e32 v84, s44, v20
v_sub_f32_e32 v28, s58, v48
v_subrev_f32_e32 v86, v78, v28
v_fmac_dx9_zero_f32_e32 v72, 1.0, v88
v_mul_dx9_zero_f32_e32 v28, s40, v24
v_mul_f32_e32 v0, 23, v48
v_mul_i32_i24_e32 v80, v2, v40
v_mul_hi_i32_i24_e32 v14, 1.0, v92
v_mul_u32_u24_e32 v116, 1.0, v16
v_mul_hi_u32_u24_e32 v88, 1.0, v34
v_min_f32_e32 v114, s2, v108
v_max_f32_e32 v84, 1.0, v72
v_min_i32_e32 v100, s12, v44
v_max_i32_e32 v94, 7, v14
v_min_u32_e32 v102, s8, v78
v_max_u32_e32 v4, v122, v60
v_lshlrev_b32_e32 v60, 1.0, v40
v_lshrrev_b32_e32 v6, 8, v74
v_ashrrev_i32_e32 v24, 30, v102
v_and_b32_e32 v32, s26, v120
v_or_b32_e32 v42, v90, v120
v_xor_b32_e32 v72, v16, v100
v_xnor_b32_e32 v124, 23, v52
v_add_co_ci_u32_e32 v64, vcc_lo, v122, v90, vcc_lo
v_sub_co_ci_u32_e32 v38, vcc_lo, v50, v62, vcc_lo
v_subrev_co_ci_u32_e32 v30, vcc_lo, v14, v84, vcc_lo
v_add_nc_u32_e32 v124, v20, v30
v_sub_nc_u32_e32 v122, s0, v24
v_subrev_nc_u32_e32 v4, v82, v10
v_fmac_f32_e32 v118, s36, v30
v_fmamk_f32 v70, 1.0, 0x6aefe375, v0
v_fmaak_f32 v106, v114, v32, 0xd836c178
v_cvt_pk_rtz_f16_f32_e32 v54, 1.0, v16
v_add_f16_e32 v110.l, s4, v56.l
v_sub_f16_e32 v44.l, 1.0, v68.l
v_subrev_f16_e32 v68.l, s38, v112.l
v_mul_f16_e32 v118.l, 1.0, v120.l
v_fmac_f16_e32 v96.l, v26.l, v82.l
v_max_f16_e32 v38.l, v14.l, v120.l
v_min_f16_e32 v108.l, v120.l, v82.l
v_ldexp_f16_e32 v92.l, 1.0, v102.l
v_pk_fmac_f16 v2, 29, v10
v_cmp_f_f16_e32 vcc_lo, 1.0, v102.l
v_cmp_lt_f16_e32 vcc_lo, 1.0, v50.l
v_cmp_eq_f16_e32 vcc_lo, 26, v116.l
v_cmp_le_f16_e32 vcc_lo, 30, v98.l
v_cmp_gt_f16_e32 vcc_lo, s60, v4.l
v_cmp_lg_f16_e32 vcc_lo, v4.l, v68.l
v_cmp_ge_f16_e32 vcc_lo, v88.l, v10.l
v_cmp_o_f16_e32 vcc_lo, s52, v12.l
v_cmp_u_f16_e32 vcc_lo, 20, v78.l
v_cmp_nge_f16_e32 vcc_lo, 1, v48.l
v_cmp_nlg_f16_e32 vcc_lo, v124.l, v16.l
v_cmp_ngt_f16_e32 vcc_lo, 23, v112.l
v_cmp_nle_f16_e32 vcc_lo, v116.l, v12.l
v_cmp_neq_f16_e32 vcc_lo, v36.l, v106.l
v_cmp_nlt_f16_e32 vcc_lo, 1.0, v88.l
v_cmp_t_f16_e32 vcc_lo, s20, v54.l
v_cmp_f_f32_e32 vcc_lo, 1.0, v102
v_cmp_lt_f32_e32 vcc_lo, v12, v80
v_cmp_eq_f32_e32 vcc_lo, 1.0, v36
v_cmp_le_f32_e32 vcc_lo, v54, v76
v_cmp_gt_f32_e32 vcc_lo, v28, v8
v_cmp_lg_f32_e32 vcc_lo, 2, v72
v_cmp_ge_f32_e32 vcc_lo, s28, v8
v_cmp_o_f32_e32 vcc_lo, s36, v78
v_cmp_u_f32_e32 vcc_lo, v84, v80
v_cmp_nge_f32_e32 vcc_lo, v108, v34
v_cmp_nlg_f32_e32 vcc_lo, 1.0, v88
v_cmp_ngt_f32_e32 vcc_lo, v84, v0
v_cmp_nle_f32_e32 vcc_lo, 19, v70
v_cmp_neq_f32_e32 vcc_lo, v16, v104
v_cmp_nlt_f32_e32 vcc_lo, 1.0, v46
v_cmp_t_f32_e32 vcc_lo, 10, v78
v_cmp_f_f64_e32 vcc_lo, 5, v[2:3]
v_cmp_lt_f64_e32 vcc_lo, 28, v[90:91]
v_cmp_eq_f64_e32 vcc_lo, v[110:111], v[72:73]
v_cmp_le_f64_e32 vcc_lo, 1.0, v[0:1]
v_cmp_gt_f64_e32 vcc_lo, 8, v[126:127]
v_cmp_lg_f64_e32 vcc_lo, 1.0, v[0:1]
v_cmp_ge_f64_e32 vcc_lo, 21, v[96:97]
v_cmp_o_f64_e32 vcc_lo, v[22:23], v[70:71]
v_cmp_u_f64_e32 vcc_lo, 27, v[106:107]
v_cmp_nge_f64_e32 vcc_lo, 1.0, v[114:115]
v_cmp_nlg_f64_e32 vcc_lo, v[38:39], v[16:17]
v_cmp_ngt_f64_e32 vcc_lo, s[44:45], v[18:19]
v_cmp_nle_f64_e32 vcc_lo, v[62:63], v[124:125]
v_cmp_neq_f64_e32 vcc_lo, s[32:33], v[80:81]
v_cmp_nlt_f64_e32 vcc_lo, s[36:37], v[60:61]
v_cmp_t_f64_e32 vcc_lo, 21, v[8:9]
v_cmp_lt_i16_e32 vcc_lo, 24, v24.l
v_cmp_eq_i16_e32 vcc_lo, 16, v100.l
v_cmp_le_i16_e32 vcc_lo, v112.l, v92.l
v_cmp_gt_i16_e32 vcc_lo, 18, v110.l
v_cmp_ne_i16_e32 vcc_lo, v16.l, v28.l
v_cmp_ge_i16_e32 vcc_lo, 1, v68.l
v_cmp_lt_u16_e32 vcc_lo, v126.l, v60.l
v_cmp_eq_u16_e32 vcc_lo, v90.l, v110.l
v_cmp_le_u16_e32 vcc_lo, v12.l, v34.l
v_cmp_gt_u16_e32 vcc_lo, v76.l, v84.l
v_cmp_ne_u16_e32 vcc_lo, 16, v124.l
v_cmp_ge_u16_e32 vcc_lo, 25, v54.l
v_cmp_f_i32_e32 vcc_lo, 25, v24
v_cmp_lt_i32_e32 vcc_lo, s6, v46
v_cmp_eq_i32_e32 vcc_lo, v78, v10
v_cmp_le_i32_e32 vcc_lo, v82, v82
v_cmp_gt_i32_e32 vcc_lo, v24, v36
v_cmp_ne_i32_e32 vcc_lo, s60, v92
v_cmp_ge_i32_e32 vcc_lo, v98, v112
v_cmp_t_i32_e32 vcc_lo, v46, v46
v_cmp_f_u32_e32 vcc_lo, v80, v48
v_cmp_lt_u32_e32 vcc_lo, v72, v116
v_cmp_eq_u32_e32 vcc_lo, v78, v14
v_cmp_le_u32_e32 vcc_lo, 13, v8
v_cmp_gt_u32_e32 vcc_lo, v32, v24
v_cmp_ne_u32_e32 vcc_lo, s6, v6
v_cmp_ge_u32_e32 vcc_lo, s12, v106
v_cmp_t_u32_e32 vcc_lo, v8, v46
v_cmp_f_i64_e32 vcc_lo, 1.0, v[78:79]
v_cmp_lt_i64_e32 vcc_lo, v[122:123], v[124:125]
v_cmp_eq_i64_e32 vcc_lo, s[34:35], v[106:107]
v_cmp_le_i64_e32 vcc_lo, 1.0, v[16:17]
v_cmp_gt_i64_e32 vcc_lo, v[82:83], v[126:127]
v_cmp_ne_i64_e32 vcc_lo, v[4:5], v[10:11]
v_cmp_ge_i64_e32 vcc_lo, v[86:87], v[124:125]
v_cmp_t_i64_e32 vcc_lo, 8, v[18:19]
v_cmp_f_u64_e32 vcc_lo, s[36:37], v[102:103]
v_cmp_lt_u64_e32 vcc_lo, s[40:41], v[30:31]
v_cmp_eq_u64_e32 vcc_lo, 29, v[2:3]
v_cmp_le_u64_e32 vcc_lo, 1.0, v[14:15]
v_cmp_gt_u64_e32 vcc_lo, v[74:75], v[58:59]
v_cmp_ne_u64_e32 vcc_lo, v[84:85], v[78:79]
v_cmp_ge_u64_e32 vcc_lo, 1.0, v[32:33]
v_cmp_t_u64_e32 vcc_lo, v[26:27], v[76:77]
v_cmp_class_f16_e32 vcc_lo, v6.l, v16.l
v_cmp_class_f32_e32 vcc_lo, 1.0, v36
v_cmp_class_f64_e32 vcc_lo, 1.0, v122
v_cmpx_f_f16_e32 s40, v90.l
v_cmpx_lt_f16_e32 1.0, v60.l
v_cmpx_eq_f16_e32 s26, v98.l
v_cmpx_le_f16_e32 v22.l, v78.l
v_cmpx_gt_f16_e32 1.0, v28.l
v_cmpx_lg_f16_e32 8, v60.l
v_cmpx_ge_f16_e32 s48, v110.l
v_cmpx_o_f16_e32 v4.l, v102.l
v_cmpx_u_f16_e32 1.0, v58.l
v_cmpx_nge_f16_e32 v98.l, v98.l
v_cmpx_nlg_f16_e32 v52.l, v54.l
v_cmpx_ngt_f16_e32 s18, v92.l
v_cmpx_nle_f16_e32 1.0, v4.l
v_cmpx_neq_f16_e32 1.0, v28.l
v_cmpx_nlt_f16_e32 v8.l, v104.l
v_cmpx_t_f16_e32 21, v106.l
v_cmpx_f_f32_e32 s20, v106
v_cmpx_lt_f32_e32 1.0, v40
v_cmpx_eq_f32_e32 v118, v18
v_cmpx_le_f32_e32 s32, v54
v_cmpx_gt_f32_e32 v28, v64
v_cmpx_lg_f32_e32 s10, v44
v_cmpx_ge_f32_e32 1.0, v120
v_cmpx_o_f32_e32 s48, v76
v_cmpx_u_f32_e32 1.0, v86
v_cmpx_nge_f32_e32 1.0, v108
v_cmpx_nlg_f32_e32 v44, v56
v_cmpx_ngt_f32_e32 14, v12
v_cmpx_nle_f32_e32 v0, v52
v_cmpx_neq_f32_e32 2, v18
v_cmpx_nlt_f32_e32 29, v80
v_cmpx_t_f32_e32 1, v0
v_cmpx_f_f64_e32 3, v[80:81]
v_cmpx_lt_f64_e32 32, v[112:113]
v_cmpx_eq_f64_e32 s[18:19], v[54:55]
v_cmpx_le_f64_e32 1.0, v[106:107]
v_cmpx_gt_f64_e32 1.0, v[62:63]
v_cmpx_lg_f64_e32 s[34:35], v[114:115]
v_cmpx_ge_f64_e32 s[26:27], v[92:93]
v_cmpx_o_f64_e32 v[100:101], v[60:61]
v_cmpx_u_f64_e32 2, v[116:117]
v_cmpx_nge_f64_e32 v[110:111], v[48:49]
v_cmpx_nlg_f64_e32 1.0, v[110:111]
v_cmpx_ngt_f64_e32 1.0, v[72:73]
v_cmpx_nle_f64_e32 s[48:49], v[100:101]
v_cmpx_neq_f64_e32 24, v[42:43]
v_cmpx_nlt_f64_e32 v[24:25], v[84:85]
v_cmpx_t_f64_e32 v[124:125], v[58:59]
v_cmpx_lt_i16_e32 v98.l, v32.l
v_cmpx_eq_i16_e32 v48.l, v102.l
v_cmpx_le_i16_e32 v40.l, v110.l
v_cmpx_gt_i16_e32 s26, v80.l
v_cmpx_ne_i16_e32 v70.l, v84.l
v_cmpx_ge_i16_e32 v18.l, v90.l
v_cmpx_lt_u16_e32 24, v102.l
v_cmpx_eq_u16_e32 23, v82.l
v_cmpx_le_u16_e32 s2, v90.l
v_cmpx_gt_u16_e32 v20.l, v108.l
v_cmpx_ne_u16_e32 v4.l, v94.l
v_cmpx_ge_u16_e32 v28.l, v72.l
v_cmpx_f_i32_e32 1.0, v30
v_cmpx_lt_i32_e32 v76, v54
v_cmpx_eq_i32_e32 1.0, v92
v_cmpx_le_i32_e32 14, v16
v_cmpx_gt_i32_e32 v12, v78
v_cmpx_ne_i32_e32 v18, v120
v_cmpx_ge_i32_e32 s12, v98
v_cmpx_t_i32_e32 v90, v110
v_cmpx_f_u32_e32 6, v54
v_cmpx_lt_u32_e32 s34, v96
v_cmpx_eq_u32_e32 1.0, v116
v_cmpx_le_u32_e32 v18, v44
v_cmpx_gt_u32_e32 1.0, v22
v_cmpx_ne_u32_e32 v72, v48
v_cmpx_ge_u32_e32 v94, v106
v_cmpx_t_u32_e32 v108, v84
v_cmpx_f_i64_e32 s[6:7], v[126:127]
v_cmpx_lt_i64_e32 1.0, v[54:55]
v_cmpx_eq_i64_e32 v[106:107], v[120:121]
v_cmpx_le_i64_e32 v[22:23], v[102:103]
v_cmpx_gt_i64_e32 s[60:61], v[0:1]
v_cmpx_ne_i64_e32 v[42:43], v[48:49]
v_cmpx_ge_i64_e32 v[20:21], v[82:83]
v_cmpx_t_i64_e32 v[0:1], v[84:85]
v_cmpx_f_u64_e32 v[102:103], v[4:5]
v_cmpx_lt_u64_e32 s[52:53], v[54:55]
v_cmpx_eq_u64_e32 1.0, v[56:57]
v_cmpx_le_u64_e32 v[6:7], v[22:23]
v_cmpx_gt_u64_e32 28, v[102:103]
v_cmpx_ne_u64_e32 20, v[32:33]
v_cmpx_ge_u64_e32 v[96:97], v[106:107]
v_cmpx_t_u64_e32 s[20:21], v[104:105]
v_cmpx_class_f16_e32 v32.l, v78.l
v_cmpx_class_f32_e32 v96, v100
v_cmpx_class_f64_e32 s[46:47], v80
v_pk_mad_i16 v6, v88, v56, v16 neg_lo:[1,0,0]
v_pk_mul_lo_u16 v92, v114, v122 op_sel_hi:[0,0]
v_pk_add_i16 v94, v114, v58 neg_lo:[1,0]
v_pk_sub_i16 v20, v76, v86 op_sel_hi:[1,0] neg_lo:[0,1]
v_pk_lshlrev_b16 v0, v18, v118 op_sel_hi:[0,1]
v_pk_lshrrev_b16 v124, v94, v50 op_sel_hi:[0,1] neg_lo:[0,1]
v_pk_ashrrev_i16 v66, v58, v0 op_sel_hi:[0,1]
v_pk_max_i16 v96, v126, v114 op_sel_hi:[1,0] neg_lo:[1,0]
v_pk_min_i16 v62, v48, v30 neg_lo:[1,1]
v_pk_mad_u16 v60, v36, v20, v64 op_sel:[1,1,1] op_sel_hi:[0,0,1] neg_lo:[1,0,0] neg_hi:[0,0,1]
v_pk_add_u16 v78, v66, v98 op_sel_hi:[0,0] neg_lo:[0,1]
v_pk_sub_u16 v98, v98, v88 op_sel_hi:[0,0] neg_lo:[1,0]
v_pk_max_u16 v66, v18, v98 op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0] neg_hi:[0,1]
v_pk_min_u16 v28, v114, v48
v_pk_fma_f16 v110, v38, v126, v82 neg_lo:[0,1,0]
v_pk_add_f16 v72, v114, v0 op_sel_hi:[1,0]
v_pk_mul_f16 v100, v4, v28 op_sel:[1,1] op_sel_hi:[0,1] neg_lo:[1,0]
v_pk_min_f16 v54, v86, v32 neg_lo:[0,1]
v_pk_max_f16 v30, v112, v80 op_sel:[1,0] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[1,0]
v_dot2_f32_f16 v34, v36, v54, v32 op_sel_hi:[0,1,0] neg_lo:[1,0,1]
v_dot4_i32_iu8 v54, v106, v54, v34 neg_lo:[1,0,1]
v_dot4_u32_u8 v78, v12, v42, v100 neg_lo:[1,1,1]
v_dot8_i32_iu4 v82, v112, v92, v66 neg_lo:[0,1,1]
v_dot8_u32_u4 v50, v122, v96, v42 neg_lo:[1,0,1]
v_dot2_f32_bf16 v26, v106, v90, v82 op_sel_hi:[1,0,1]
v_fma_mix_f32 v10, -v52, v12, -v58 op_sel_hi:[0,1,0]
v_fma_mixlo_f16 v102, v98, v100, -v18 op_sel_hi:[1,1,0]
v_fma_mixhi_f16 v42, v94, v102, |v106| op_sel:[1,1,1] op_sel_hi:[1,0,1]
v_wmma_f32_16x16x16_f16 v[74:81], v[48:55], v[62:69], v[88:95] neg_lo:[0,1,1]
v_wmma_f32_16x16x16_bf16 v[14:21], v[64:71], v[102:109], v[106:113] neg_lo:[1,1,0]
v_wmma_f16_16x16x16_f16 v[106:113], v[88:95], v[126:133], v[8:15] op_sel:[0,0,1] op_sel_hi:[0,1,0] neg_lo:[0,1,1] neg_hi:[1,1,0]
v_wmma_bf16_16x16x16_bf16 v[54:61], v[32:39], v[8:15], v[126:133] op_sel_hi:[1,0,0] neg_lo:[0,1,1]
v_wmma_i32_16x16x16_iu8 v[48:55], v[122:125], v[110:113], v[46:53] neg_lo:[0,1,1]
v_wmma_i32_16x16x16_iu4 v[62:69], v[100:101], v[116:117], v[88:95] neg_lo:[1,1,0]
v_dual_fmac_f32 v20, v0, v248 :: v_dual_sub_f32 v67, v113, v153
v_dual_fmaak_f32 v168, v196, v44, 0x74a561dd :: v_dual_dot2acc_f32_bf16 v57, v13, v237
v_dual_fmamk_f32 v159, v220, 0x7bf1467d, v180 :: v_dual_cndmask_b32 v124, v101, v97
v_dual_mul_f32 v223, v140, v240 :: v_dual_max_f32 v26, v89, v129
v_dual_add_f32 v101, v56, v252 :: v_dual_mul_dx9_zero_f32 v124, v229, v157
v_dual_sub_f32 v194, v52, v216 :: v_dual_mul_f32 v21, v49, v213
v_dual_subrev_f32 v12, v68, v56 :: v_dual_fmamk_f32 v83, v137, 0x53095dc8, v85
v_dual_mul_dx9_zero_f32 v62, v244, v36 :: v_dual_fmac_f32 v7, v53, v49
v_dual_mov_b32 v12, v232 :: v_dual_sub_f32 v3, v77, v165
v_dual_cndmask_b32 v253, v252, v184 :: v_dual_mul_dx9_zero_f32 v112, v37, v41
v_dual_max_f32 v126, v68, v76 :: v_dual_mul_f32 v117, v245, v233
v_dual_min_f32 v241, v48, v124 :: v_dual_subrev_f32 v2, v177, v105
v_dual_dot2acc_f32_f16 v201, v72, v40 :: v_dual_fmaak_f32 v90, v61, v49, 0x6de4e7ba
v_dual_dot2acc_f32_bf16 v237, v244, v244 :: v_dual_fmaak_f32 v120, v149, v133, 0x420d5613
v_dual_mul_dx9_zero_f32 v96, s50, v184 :: v_dual_fmac_f32 v91, v149, v17
v_dual_fmac_f32 v236, s2, v168 :: v_dual_fmaak_f32 v55, v169, v17, 0x7d0c6169
v_dual_dot2acc_f32_f16 v84, v48, v64 :: v_dual_fmamk_f32 v1, v233, 0xf3ec0759, v237
v_dual_mul_f32 v182, s56, v160 :: v_dual_mul_f32 v69, v245, v245
v_dual_min_f32 v213, s18, v32 :: v_dual_add_f32 v72, v109, v169
v_dual_dot2acc_f32_bf16 v67, s36, v200 :: v_dual_sub_f32 v76, v185, v105
v_dual_fmac_f32 v234, v200, v200 :: v_dual_subrev_f32 v127, v37, v173
v_dual_mul_f32 v61, v96, v248 :: v_dual_mul_dx9_zero_f32 v56, v169, v149
v_dual_fmac_f32 v18, s12, v8 :: v_dual_cndmask_b32 v33, v153, v13
v_dual_fmaak_f32 v32, v164, v188, 0x661ead0e :: v_dual_max_f32 v117, v141, v41
v_dual_cndmask_b32 v41, v116, v76 :: v_dual_min_f32 v68, v49, v105
v_dual_mul_dx9_zero_f32 v226, v60, v144 :: v_dual_dot2acc_f32_f16 v37, v197, v165
v_dual_fmaak_f32 v179, v108, v216, 0x55781491 :: v_dual_dot2acc_f32_bf16 v120, v165, v113
v_dual_fmac_f32 v178, s22, v52 :: v_dual_add_nc_u32 v9, v225, v181
v_dual_max_f32 v167, s8, v204 :: v_dual_lshlrev_b32 v46, v205, v101
v_dual_mul_f32 v167, s20, v164 :: v_dual_and_b32 v118, v25, v225
v_add_f32_dpp v32, -|v18|, -|v16| quad_perm:[3,2,1,0] row_mask:0x5 bank_mask:0xa fi:1
v_add_f32_e64_dpp v9, |v60|, v20 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
v_add_f32_dpp v18, v28, -|v16| quad_perm:[3,0,1,2] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
v_add_f32_e64_dpp v28, |v2|, |v42| quad_perm:[3,0,1,2] row_mask:0xf bank_mask:0xf
v_add_f32_dpp v27, -|v4|, |v26| row_shl:1 row_mask:0x5 bank_mask:0xa bound_ctrl:1 fi:1
v_add_f32_e64_dpp v51, v25, |v102| row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_dpp v27, |v38|, -|v15| row_shl:8 row_mask:0x5 bank_mask:0xa bound_ctrl:1 fi:1
v_add_f32_e64_dpp v5, |v0|, v30 row_shl:8 row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
v_add_f32_dpp v44, -v40, -|v32| row_shl:15 row_mask:0x5 bank_mask:0xa
v_add_f32_e64_dpp v25, |v43|, v68 row_shl:15 row_mask:0xf bank_mask:0xf
v_add_f32_dpp v20, -v6, v11 row_shr:1 row_mask:0x5 bank_mask:0xa bound_ctrl:1
v_add_f32_e64_dpp v20, |v7|, v50 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_dpp v13, -|v30|, -v4 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_e64_dpp v37, |v23|, v72 row_shr:8 row_mask:0xf bank_mask:0xf
v_add_f32_dpp v30, |v2|, -v35 row_shr:15 row_mask:0x5 bank_mask:0xa
v_add_f32_e64_dpp v26, |v28|, v58 row_shr:15 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_dpp v3, -v46, |v32| row_ror:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_e64_dpp v45, v26, |v72| row_ror:1 row_mask:0xf bank_mask:0xf fi:1
v_add_f32_dpp v36, |v60|, -v43 row_ror:8 row_mask:0xf bank_mask:0xf
v_add_f32_e64_dpp v53, v12, |v56| row_ror:8 row_mask:0xf bank_mask:0xf
v_add_f32_dpp v39, |v9|, |v53| row_ror:15 row_mask:0x5 bank_mask:0xa
v_add_f32_e64_dpp v18, v29, v22 row_ror:15 row_mask:0xf bank_mask:0xf
v_add_f32_dpp v13, v58, v23 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_e64_dpp v63, |v44|, v12 row_mirror row_mask:0xf bank_mask:0xf fi:1
v_add_f32_dpp v60, -|v23|, -v37 row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_e64_dpp v44, v47, |v114| row_half_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_dpp v13, -|v50|, -v28 row_share:0 row_mask:0x5 bank_mask:0xa bound_ctrl:1 fi:1
v_add_f32_e64_dpp v8, |v53|, |v8| row_share:0 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_dpp v34, -v11, -v60 row_share:15 row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
v_add_f32_e64_dpp v45, |v58|, v112 row_share:15 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_dpp v4, -|v9|, -|v55| row_xmask:1 row_mask:0xf bank_mask:0xf
v_add_f32_e64_dpp v19, |v3|, |v14| row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_add_f32_dpp v55, -v6, v34 row_xmask:8 row_mask:0x5 bank_mask:0xa bound_ctrl:1 fi:1
v_add_f32_e64_dpp v30, |v3|, |v58| row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
v_mov_b32_dpp v38, v35 dpp8:[6,2,3,3,1,4,6,7] fi:1
v_fma_f32_e64_dpp v12, v26, v30, v48 dpp8:[6,4,1,0,7,7,3,3]
v_mov_b32_dpp v45, v16 dpp8:[6,7,0,5,3,0,4,5] fi:1
v_fma_f32_e64_dpp v6, v17, v38, v114 dpp8:[0,5,3,2,5,2,4,3]
v_mov_b32_dpp v55, v22 dpp8:[5,1,3,0,1,7,5,2] fi:1
v_fma_f32_e64_dpp v52, v40, v110, v6 dpp8:[1,3,0,3,3,1,1,7] fi:1
v_mov_b32_dpp v20, v50 dpp8:[0,0,4,4,3,5,4,2] fi:1
v_fma_f32_e64_dpp v46, v33, v22, v36 dpp8:[0,1,1,7,6,7,3,3] fi:1
v_mov_b32_dpp v53, v30 dpp8:[1,1,4,2,1,1,7,6] fi:1
v_fma_f32_e64_dpp v44, v49, v70, v18 dpp8:[4,3,0,0,4,7,5,7] fi:1
v_mov_b32_dpp v5, v40 dpp8:[1,6,7,7,7,4,4,5]
v_fma_f32_e64_dpp v63, v25, v56, v60 dpp8:[2,2,5,0,0,5,6,3] fi:1
v_dot2_f32_f16_e64_dpp v42, v37, v60, v74 op_sel_hi:[1,1,0] row_xmask:1 row_mask:0xf bank_mask:0xf
v_mov_b32_e32 v25, 0xd33d61a6
v_cmp_lt_f32 vcc_lo, v52, v61 row_shr:1 row_mask:0xf bank_mask:0xf
v_add_f16_e32 v1.l, v27.l, v11.l
v_add_f16_e32 v31.h, v10.l, v3.l
v_add_f16_e32 v31.l, v10.h, v6.h
v_add_f16_e32 v8.h, v23.l, v0.h
v_cmp_f_f16_e64 s36, 1.0, -v24.l
v_cmp_lt_f16_e64 s40, v90.l, v48.l
v_cmp_eq_f16_e64 s48, 32, v46.l
v_cmp_le_f16_e64 s52, 18, v58.l
v_cmp_gt_f16_e64 s22, s8, v38.l
v_cmp_lg_f16_e64 s6, 31, v104.l
v_cmp_ge_f16_e64 s2, v84.l, v34.l
v_cmp_o_f16_e64 s40, s0, v0.l
v_cmp_u_f16_e64 s58, |v124.l|, v8.l
v_cmp_nge_f16_e64 s58, 1.0, v42.l
v_cmp_nlg_f16_e64 s16, 32, v64.l
v_cmp_ngt_f16_e64 s56, v110.l, v58.l
v_cmp_nle_f16_e64 s2, v88.l, v40.l
v_cmp_neq_f16_e64 s40, 28, v118.l
v_cmp_nlt_f16_e64 s6, 1.0, v28.l
v_cmp_t_f16_e64 s16, 1.0, v22.l
v_cmp_f_f32_e64 s38, 24, v36
v_cmp_lt_f32_e64 s28, s14, v26
v_cmp_eq_f32_e64 s22, 1.0, v44
v_cmp_le_f32_e64 s32, 20, v66
v_cmp_gt_f32_e64 s22, s32, v90
v_cmp_lg_f32_e64 s16, v16, |v10|
v_cmp_ge_f32_e64 s18, v120, v116
v_cmp_o_f32_e64 s62, v62, v70
v_cmp_u_f32_e64 s50, -v0, |v64|
v_cmp_nge_f32_e64 s2, |s6|, |v46|
v_cmp_nlg_f32_e64 s50, v6, v56
v_cmp_ngt_f32_e64 s42, -|v94|, -|v56|
v_cmp_nle_f32_e64 s16, 1.0, v84
v_cmp_neq_f32_e64 s48, v120, v40
v_cmp_nlt_f32_e64 s44, 17, v56
v_cmp_t_f32_e64 s42, v74, v56
v_cmp_f_f64_e64 s0, v[18:19], v[52:53]
v_cmp_lt_f64_e64 s12, 1.0, v[76:77]
v_cmp_eq_f64_e64 s52, 1.0, v[0:1]
v_cmp_le_f64_e64 s46, -v[56:57], v[70:71]
v_cmp_gt_f64_e64 s36, |v[36:37]|, |v[86:87]|
v_cmp_lg_f64_e64 s38, s[22:23], v[8:9]
v_cmp_ge_f64_e64 s40, 7, |v[62:63]|
v_cmp_o_f64_e64 s30, v[86:87], v[124:125]
v_cmp_u_f64_e64 s6, s[0:1], v[100:101]
v_cmp_nge_f64_e64 s24, v[38:39], v[20:21]
v_cmp_nlg_f64_e64 s52, 20, v[22:23]
v_cmp_ngt_f64_e64 s28, 1.0, v[52:53]
v_cmp_nle_f64_e64 s18, v[106:107], v[14:15]
v_cmp_neq_f64_e64 s24, s[50:51], v[38:39]
v_cmp_nlt_f64_e64 s16, s[10:11], v[44:45]
v_cmp_t_f64_e64 s22, |v[6:7]|, |v[116:117]|
v_cmp_lt_i16_e64 s22, s38, v40.l
v_cmp_eq_i16_e64 s28, v46.l, v122.l
v_cmp_le_i16_e64 s12, v10.l, v58.l
v_cmp_gt_i16_e64 s36, v80.l, v84.l
v_cmp_ne_i16_e64 s38, s18, v34.l
v_cmp_ge_i16_e64 s40, s32, v110.l
v_cmp_lt_u16_e64 s20, v102.l, v74.l
v_cmp_eq_u16_e64 s56, s40, v14.l
v_cmp_le_u16_e64 s12, 16, v56.l
v_cmp_gt_u16_e64 s28, 15, v96.l
v_cmp_ne_u16_e64 s48, v86.l, v26.l
v_cmp_ge_u16_e64 s58, 8, v100.l
v_cmp_f_i32_e64 s56, s30, v70
v_cmp_lt_i32_e64 s4, v18, v96
v_cmp_eq_i32_e64 s10, v6, v2
v_cmp_le_i32_e64 s52, v74, v20
v_cmp_gt_i32_e64 s36, 28, v84
v_cmp_ne_i32_e64 s30, v116, v48
v_cmp_ge_i32_e64 s8, 19, v122
v_cmp_t_i32_e64 s34, v88, v84
v_cmp_f_u32_e64 s28, s12, v20
v_cmp_lt_u32_e64 s44, s62, v124
v_cmp_eq_u32_e64 s50, 29, v90
v_cmp_le_u32_e64 s46, v48, v14
v_cmp_gt_u32_e64 s10, s60, v22
v_cmp_ne_u32_e64 s20, v56, v90
v_cmp_ge_u32_e64 s54, 1.0, v34
v_cmp_t_u32_e64 s48, 1.0, v38
v_cmp_f_i64_e64 s16, 1.0, v[2:3]
v_cmp_lt_i64_e64 s26, v[124:125], v[26:27]
v_cmp_eq_i64_e64 s56, v[68:69], v[54:55]
v_cmp_le_i64_e64 s48, v[120:121], v[108:109]
v_cmp_gt_i64_e64 s46, 1.0, v[98:99]
v_cmp_ne_i64_e64 s2, s[56:57], v[58:59]
v_cmp_ge_i64_e64 s48, 1.0, v[108:109]
v_cmp_t_i64_e64 s12, s[52:53], v[36:37]
v_cmp_f_u64_e64 s16, v[112:113], v[18:19]
v_cmp_lt_u64_e64 s28, v[118:119], v[108:109]
v_cmp_eq_u64_e64 s12, s[2:3], v[108:109]
v_cmp_le_u64_e64 s36, 27, v[80:81]
v_cmp_gt_u64_e64 s62, s[34:35], v[62:63]
v_cmp_ne_u64_e64 s40, s[62:63], v[6:7]
v_cmp_ge_u64_e64 s50, 28, v[66:67]
v_cmp_t_u64_e64 s8, s[44:45], v[16:17]
v_cmp_class_f16_e64 s14, neg(14), -v94.l
v_cmp_class_f32_e64 s40, v72, v92
v_cmp_class_f64_e64 s28, 11, v116
v_cndmask_b32_e64 v36, v26, v100, s40
v_add_f32_e64 v106, v12, |v52|
v_sub_f32_e64 v2, s12, v44
v_subrev_f32_e64 v10, 1.0, v78
v_fmac_dx9_zero_f32_e64 v18, v76, v46
v_mul_dx9_zero_f32_e64 v66, s0, v122
v_mul_f32_e64 v116, v30, v12
v_mul_i32_i24_e64 v98, 1.0, v0
v_mul_hi_i32_i24_e64 v76, s46, v122
v_mul_u32_u24_e64 v14, v72, v52
v_mul_hi_u32_u24_e64 v104, 5, v96
v_min_f32_e64 v36, v10, v50
v_max_f32_e64 v26, 1.0, v24
v_min_i32_e64 v68, v84, v74
v_max_i32_e64 v90, 1.0, v18
v_min_u32_e64 v54, 19, v50
v_max_u32_e64 v12, v112, v0
v_lshlrev_b32_e64 v12, v6, v68
v_lshrrev_b32_e64 v46, 4, v32
v_ashrrev_i32_e64 v20, v90, v30
v_and_b32_e64 v120, s50, v40
v_or_b32_e64 v52, 1.0, v34
v_xor_b32_e64 v82, 13, v62
v_xnor_b32_e64 v54, v68, v8
v_add_co_ci_u32_e64 v52, s6, v78, v64, s34
v_sub_co_ci_u32_e64 v58, s50, v100, v36, s42
v_subrev_co_ci_u32_e64 v60, s22, v12, v26, s32
v_add_nc_u32_e64 v60, 19, v54
v_sub_nc_u32_e64 v126, s26, v10
v_subrev_nc_u32_e64 v46, s10, v106
v_fmac_f32_e64 v116, 1.0, v66
v_cvt_pk_rtz_f16_f32_e64 v72, v36, v118
v_add_f16_e64 v16.l, 28, v120.l
v_sub_f16_e64 v38.l, 1.0, v26.l
v_subrev_f16_e64 v76.l, |1.0|, |v8.l|
v_mul_f16_e64 v46.l, 25, -v78.l
v_fmac_f16_e64 v2.l, |4|, v4.l
v_max_f16_e64 v78.l, 14, v72.l
v_min_f16_e64 v6.l, v100.l, v34.l
v_ldexp_f16_e64 v90.l, 1.0, v72.l
v_mov_b32_e64 v88, v124
v_cvt_i32_f64_e64 v78, v[14:15]
v_cvt_f64_i32_e64 v[24:25], v24
v_cvt_f32_i32_e64 v40, v64
v_cvt_f32_u32_e64 v0, s40
v_cvt_u32_f32_e64 v102, 31
v_cvt_i32_f32_e64 v10, v60
v_cvt_f16_f32_e64 v16.l, s48
v_cvt_f32_f16_e64 v80, -s60
v_cvt_nearest_i32_f32_e64 v78, 8
v_cvt_floor_i32_f32_e64 v118, v56
v_cvt_off_f32_i4_e64 v50, v42
v_cvt_f32_f64_e64 v64, 1.0
v_cvt_f64_f32_e64 v[22:23], 14
v_cvt_f32_ubyte0_e64 v104, v0
v_cvt_f32_ubyte1_e64 v54, v110
v_cvt_f32_ubyte2_e64 v56, 1.0
v_cvt_f32_ubyte3_e64 v54, v14
v_cvt_u32_f64_e64 v82, s[18:19]
v_cvt_f64_u32_e64 v[32:33], v6
v_trunc_f64_e64 v[62:63], s[34:35]
v_ceil_f64_e64 v[26:27], 1.0
v_rndne_f64_e64 v[86:87], 1.0
v_floor_f64_e64 v[110:111], v[74:75]
v_mov_b16_e64 v114.l, v66.l
v_fract_f32_e64 v64, 31
v_trunc_f32_e64 v78, s18
v_ceil_f32_e64 v56, v48
v_rndne_f32_e64 v0, 22
v_floor_f32_e64 v52, 1.0
v_exp_f32_e64 v88, 1.0
v_log_f32_e64 v98, v126
v_rcp_f32_e64 v42, -s22
v_rcp_iflag_f32_e64 v40, 1.0
v_rsq_f32_e64 v2, v18
v_rcp_f64_e64 v[20:21], v[106:107]
v_rsq_f64_e64 v[0:1], v[114:115]
v_sqrt_f32_e64 v12, s0
v_sqrt_f64_e64 v[18:19], 6
v_sin_f32_e64 v66, v70
v_cos_f32_e64 v108, v26
v_not_b32_e64 v52, 11
v_bfrev_b32_e64 v74, s16
v_clz_i32_u32_e64 v30, v10
v_ctz_i32_b32_e64 v30, 27
v_cls_i32_e64 v52, 1.0
v_frexp_exp_i32_f64_e64 v110, v[50:51]
v_frexp_mant_f64_e64 v[96:97], 3
v_fract_f64_e64 v[24:25], 1.0
v_frexp_exp_i32_f32_e64 v32, 1.0
v_frexp_mant_f32_e64 v22, v28
v_movreld_b32_e64 v48, 15
v_movrels_b32_e64 v16, v22
v_movrelsd_b32_e64 v46, v124
v_movrelsd_2_b32_e64 v60, v102
v_cvt_f16_u16_e64 v8.l, s42
v_cvt_f16_i16_e64 v56.l, v4.l
v_cvt_u16_f16_e64 v50.l, 1.0
v_cvt_i16_f16_e64 v78.l, v14.l
v_rcp_f16_e64 v126.l, s6
v_sqrt_f16_e64 v32.l, v110.l
v_rsq_f16_e64 v90.l, 1
v_log_f16_e64 v122.l, s0
v_exp_f16_e64 v90.l, 16
v_frexp_mant_f16_e64 v18.l, v50.l
v_frexp_exp_i16_f16_e64 v120.l, |v20.l|
v_floor_f16_e64 v68.l, 8
v_ceil_f16_e64 v98.l, v38.l
v_trunc_f16_e64 v120.l, v66.l
v_rndne_f16_e64 v62.l, 1
v_fract_f16_e64 v38.l, v36.l
v_sin_f16_e64 v112.l, |s18|
v_cos_f16_e64 v90.l, s30
v_sat_pk_u8_i16_e64 v102.l, s28
v_cvt_norm_i16_f16_e64 v18.l, v20.l
v_cvt_norm_u16_f16_e64 v66.l, |v88.l|
v_not_b16_e64 v126.l, v38.l
v_cvt_i32_i16_e64 v92, v100.l
v_cvt_u32_u16_e64 v116, v110.l
v_fma_dx9_zero_f32 v8, s52, v12, v64
v_mad_i32_i24 v120, v64, v68, v64
v_mad_u32_u24 v72, 23, v48, v14
v_bfe_u32 v66, s26, v14, v66
v_bfe_i32 v60, v66, v60, v28
v_bfi_b32 v64, v72, v112, v66
v_fma_f32 v2, v46, v14, v102
v_fma_f64 v[108:109], 1.0, v[28:29], v[28:29]
v_lerp_u8 v56, 3, v30, v42
v_alignbit_b32 v74, v116, v6, v86.l
v_alignbyte_b32 v58, 21, v116, v2.l
v_min3_f32 v54, 1.0, v38, v116
v_min3_i32 v48, v80, v40, v104
v_min3_u32 v44, v46, v108, v90
v_max3_f32 v8, v8, v124, v16
v_max3_i32 v44, 1.0, v100, v126
v_max3_u32 v84, 1.0, v82, v52
v_med3_f32 v30, v68, v90, v92
v_med3_i32 v72, s36, v84, v64
v_med3_u32 v52, s4, v60, v106
v_sad_u8 v2, v104, v34, v78
v_sad_hi_u8 v60, 1.0, v44, v100
v_sad_u16 v62, s30, v102, v114
v_sad_u32 v112, v110, v100, v10
v_cvt_pk_u8_f32 v110, v2, v126, v4
v_div_fixup_f32 v120, -v22, v74, v86
v_div_fixup_f64 v[0:1], v[8:9], v[124:125], v[66:67]
v_div_fmas_f32 v116, -s22, v52, v74
v_div_fmas_f64 v[112:113], 1, v[84:85], v[106:107]
v_msad_u8 v64, 1.0, v80, v126
v_xor3_b32 v104, v90, v24, v80
v_mad_u16 v10.l, 24, v44.l, v120.l
v_perm_b32 v114, v12, v30, v102
v_xad_u32 v6, 1.0, v36, v20
v_lshl_add_u32 v102, 16, v64, v104
v_add_lshl_u32 v88, v80, v26, v96
v_fma_f16 v92.l, |14|, |v2.l|, v20.l
v_min3_f16 v58.l, v52.l, v30.l, v10.l
v_min3_i16 v12.l, v8.l, v50.l, v86.l
v_min3_u16 v34.l, v112.l, v62.l, v80.l
v_max3_f16 v122.l, v56.l, |v120.l|, v28.l
v_max3_i16 v30.l, 6, v44.l, v102.l
v_max3_u16 v66.l, 18, v12.l, v110.l
v_med3_f16 v50.l, v84.l, v8.l, v56.l
v_med3_i16 v16.l, v8.l, v112.l, v126.l
v_med3_u16 v48.l, v92.l, v74.l, v22.l
v_mad_i16 v46.l, v34.l, v54.l, v22.l
v_div_fixup_f16 v102.l, neg(1.0), v88.l, v114.l
v_add3_u32 v104, s30, v108, v16
v_lshl_or_b32 v18, v90, v6, v124
v_and_or_b32 v28, 7, v72, v28
v_or3_b32 v84, 3, v80, v56
v_mad_u32_u16 v66, 30, v34.l, v58
v_mad_i32_i16 v98, v70.l, v6.l, v72
v_maxmin_f32 v116, -v82, v84, -v124
v_minmax_f32 v84, v12, v108, v70
v_maxmin_f16 v30.l, s16, v36.l, v30.l
v_minmax_f16 v36.l, |v48.l|, |v32.l|, v56.l
v_maxmin_u32 v44, 18, v84, v44
v_minmax_u32 v106, 2, v8, v54
v_maxmin_i32 v24, v54, v66, v2
v_minmax_i32 v100, v56, v104, v66
v_dot2_f16_f16 v4.l, s50, |v68|, v22.l
v_dot2_bf16_bf16 v0.l, v102, v60, v0.l
v_div_scale_f32 v48, s40, v22, v2, v70
v_div_scale_f64 v[6:7], s60, 24, v[76:77], v[12:13]
v_mad_u64_u32 v[66:67], s36, v50, v20, v[58:59]
v_mad_i64_i32 v[60:61], s54, s54, v108, v[70:71]
v_add_co_u32 v92, s46, s32, v28
v_sub_co_u32 v30, s56, v22, v32
v_subrev_co_u32 v100, s58, 28, v126
v_add_nc_u16 v106.l, v114.l, v82.l
v_sub_nc_u16 v110.l, 7, v82.l
v_mul_lo_u16 v102.l, v108.l, v54.l
v_cvt_pk_i16_f32 v10, |1.0|, v22
v_cvt_pk_u16_f32 v76, 1.0, v74
v_max_u16 v56.l, v34.l, v60.l
v_max_i16 v82.l, 30, v120.l
v_min_u16 v22.l, s54, v0.l
v_min_i16 v50.l, s18, v74.l
v_add_nc_i16 v108.l, s4, v88.l
v_sub_nc_i16 v100.l, 7, v92.l
v_pack_b32_f16 v22, s12, v54.l
v_cvt_pk_norm_i16_f16 v108, s46, v98.l
v_cvt_pk_norm_u16_f16 v122, v8.l, v38.l
v_ldexp_f32 v88, v76, v92
v_bfm_b32 v56, 1.0, v16
v_bcnt_u32_b32 v14, v62, v2
v_mbcnt_lo_u32_b32 v56, v88, v44
v_mbcnt_hi_u32_b32 v54, 1.0, v18
v_cvt_pk_norm_i16_f32 v96, v48, v126
v_cvt_pk_norm_u16_f32 v104, 32, v104
v_cvt_pk_u16_u32 v6, 1.0, v40
v_cvt_pk_i16_i32 v112, 5, v80
v_sub_nc_i32 v68, 21, v4
v_add_nc_i32 v38, s40, v100
v_add_f64 v[112:113], 4, -v[56:57]
v_mul_f64 v[116:117], 6, v[40:41]
v_min_f64 v[26:27], -|v[36:37]|, |v[102:103]|
v_max_f64 v[26:27], v[24:25], v[8:9]
v_ldexp_f64 v[86:87], 1.0, v20
v_mul_lo_u32 v10, v34, v102
v_mul_hi_u32 v10, 9, v90
v_mul_hi_i32 v40, v106, v114
v_lshlrev_b16 v6.l, v68.l, v16.l
v_lshrrev_b16 v122.l, 19, v10.l
v_ashrrev_i16 v16.l, v50.l, v86.l
v_lshlrev_b64 v[36:37], 32, v[118:119]
v_lshrrev_b64 v[102:103], 8, v[96:97]
v_ashrrev_i64 v[44:45], 21, v[124:125]
v_and_b16 v22.l, s50, v72.l
v_or_b16 v54.l, s16, v80.l
v_xor_b16 v116.l, 19, v30.l
v_permlane16_b32 v54, v62, s16, s18 op_sel:[1,0]
v_permlanex16_b32 v38, v10, s42, s10 op_sel:[0,1]
v_readlane_b32 s22, v108, s58
v_writelane_b32 v58, s38, 6
v_cndmask_b16 v59.l, v100.l, v50.l, s0
v_fmamk_f16 v1.l, v2.l, 0x4100, v3.l
v_fmaak_f16 v4.h, v5.h, v6.l, 0x4100
