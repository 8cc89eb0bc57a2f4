"""Operators that people wrote, by family, with arguments as their libraries name them, in the notation of `more_ops`.

The kernel is `custom` unless another one is named. Shapes are those that the libraries check or suppose. A list of results
with a fixed length is written as that number of results; random generators are left out.

`python tests/lib/real_signatures.py` prints the table of docs/measurements/custom.md.
"""

import re

import yaml
from macros import ROOT, module

# Of a sample of 120 public projects with 158 operator families, in percent; 5 more are of no such kind.
SAMPLE = {
    "point clouds": 9,
    "sampling and deformable": 9,
    "elementwise": 9,
    "stencils and pooling": 8,
    "row reductions": 8,
    "sorting and NMS": 7,
    "products": 7,
    "rasterization": 6,
    "attention": 6,
    "packed products": 4,
    "gather and scatter": 4,
    "small linear algebra": 4,
    "sparse": 3,
    "scan": 3,
    "quantization": 3,
    "optimizers": 2,
    "dynamic programming": 2,
    "images": 1,
}

# Lists of operators as their libraries define them, which tools/definitions.py counts.
DEFINITIONS = {
    "The first list": ROOT / "tests/lib/true_definitions.yaml",
    "The second list": ROOT / "tests/lib/unseen_definitions.yaml",
    "The third list": ROOT / "tests/lib/later_definitions.yaml",
    "The fourth list": ROOT / "tests/lib/fourth_definitions.yaml",
}

# Operators that no kernel accepts, with a part of the refusal.
REFUSED: dict[str, str] = {}

FAMILIES = {
    "point clouds": {
        "pointnet2 furthest_point_sampling": "Tensor points: float32[B, N, 3], int npoint -> Tensor: int32[B, npoint]",
        "pointnet2 ball_query": "Tensor new_xyz: float32[B, M, 3], Tensor xyz: float32[B, N, 3], float radius, int nsample "
        "-> Tensor: int32[B, M, nsample]",
        "pointnet2 three_nn": "Tensor unknown: float32[B, N, 3], Tensor known: float32[B, M, 3] "
        "-> (Tensor dist2: float32[B, N, 3], Tensor idx: int32[B, N, 3])",
        "pointnet2 three_interpolate": "Tensor features: [B, C, M], Tensor idx: int32[B, N, 3], Tensor weight: [B, N, 3] "
        "-> Tensor: [B, C, N]",
        "pointnet2 group_points": "Tensor features: [B, C, N], Tensor idx: int32[B, P, S] -> Tensor: [B, C, P, S]",
        "mmcv knn": "Tensor xyz: float32[B, N, 3], Tensor new_xyz: float32[B, M, 3], int nsample "
        "-> (Tensor idx: int32[B, M, nsample], Tensor dist2: float32[B, M, nsample])",
        "mmcv hard_voxelize": "Tensor points: float32[N, D], Tensor voxel_size: float32[3], Tensor coors_range: float32[6], "
        "int max_points, int max_voxels -> (Tensor voxels: float32[max_voxels, max_points, D], "
        "Tensor coors: int32[max_voxels, 3], Tensor num_points_per_voxel: int32[max_voxels], Tensor voxel_num: int64[])",
        "pytorch3d chamfer": "Tensor xyz1: [B, N, 3], Tensor xyz2: [B, M, 3] -> (Tensor dist1: [B, N], Tensor dist2: [B, M], "
        "Tensor idx1: int32[B, N], Tensor idx2: int32[B, M])",
        "pointnet2 gather_points": "Tensor features: [B, C, N], Tensor idx: int32[B, M] -> Tensor: [B, C, M]",
    },
    "sampling and deformable": {
        "torchvision roi_align": "Tensor input: [N, C, H, W], Tensor rois: [K, 5], float spatial_scale, int pooled_height, "
        "int pooled_width, int sampling_ratio, bool aligned -> Tensor: [K, C, pooled_height, pooled_width]",
        "torchvision ps_roi_pool": "Tensor input: [N, C * pooled_height * pooled_width, H, W], Tensor rois: [K, 5], "
        "float spatial_scale, int pooled_height, int pooled_width -> (Tensor output: [K, C, pooled_height, pooled_width], "
        "Tensor channel_mapping: int32[K, C, pooled_height, pooled_width])",
        "torchvision deform_conv2d": "Tensor input: [N, C, H, W], Tensor weight: [O, C, kh, kw], "
        "Tensor offset: [N, 2 * kh * kw, P, Q], Tensor mask: [N, kh * kw, P, Q], Tensor bias: [O], int stride_h, int stride_w, "
        "int pad_h, int pad_w -> Tensor: [N, O, P, Q]",
        "mmcv ms_deform_attn": "Tensor value: [B, S, M, D], Tensor spatial_shapes: int64[L, 2], "
        "Tensor level_start_index: int64[L], Tensor sampling_loc: [B, Q, M, L, P, 2], Tensor attn_weight: [B, Q, M, L, P], "
        "int im2col_step -> Tensor: [B, Q, M * D]",
        "mmcv carafe": "Tensor features: [N, C, H, W], Tensor masks: [N, K, H * scale, W * scale], int kernel, int group, "
        "int scale -> Tensor: [N, C, H * scale, W * scale]",
        "instant-ngp grid_encode": "Tensor inputs: float32[B, D], Tensor embeddings: [P, C], Tensor offsets: int32[L], "
        "float S, int H -> Tensor: [L, B, C]",
        "torchvision roi_pool": "Tensor input: [N, C, H, W], Tensor rois: [K, 5], float spatial_scale, int pooled_height, "
        "int pooled_width -> (Tensor output: [K, C, pooled_height, pooled_width], "
        "Tensor argmax: int32[K, C, pooled_height, pooled_width])",
        "grid_sample of volumes": "Tensor input: [N, C, D, H, W], Tensor grid: [N, P, Q, R, 3], bool align_corners "
        "-> Tensor: [N, C, P, Q, R]",
        "softmax splatting": "Tensor input: [N, C, H, W], Tensor flow: [N, 2, H, W] -> Tensor: [N, C, H, W]",
    },
    "stencils and pooling": {
        "stylegan upfirdn2d": "Tensor x: [N, C, H, W], Tensor f: float32[kh, kw], int up, int down, int pad0, int pad1 "
        "-> Tensor: [N, C, (H * up + pad0 + pad1 - kh) // down + 1, (W * up + pad0 + pad1 - kw) // down + 1]",
        "RAFT corr": "Tensor fmap1: [B, H, W, C], Tensor fmap2: [B, P, Q, C], Tensor coords: [B, N, H, W, 2], int radius "
        "-> Tensor: [B, N, (2 * radius + 1) * (2 * radius + 1), H, W]",
        "natten na2d_qk": "Tensor query: [B, M, H, W, D], Tensor key: [B, M, H, W, D], int kernel_size, int dilation "
        "-> Tensor: [B, M, H, W, kernel_size * kernel_size]",
        "mmcv border_align": "Tensor input: [B, 4 * C, H, W], Tensor boxes: [B, H * W, 4], int pool_size -> Tensor: [B, C, H * W, 4]",
        "depthwise conv1d": "Tensor x: [B, D, L], Tensor weight: [D, W], Tensor? bias: [D]=None -> Tensor: [B, D, L]",
        "max pool with its places": "Tensor x: [N, C, H, W], int k, int stride -> (Tensor out: [N, C, (H - k) // stride + 1, "
        "(W - k) // stride + 1], Tensor place: int64[N, C, (H - k) // stride + 1, (W - k) // stride + 1])",
        "mmcv correlation": "Tensor input1: [N, C, H, W], Tensor input2: [N, C, H, W], int kernel_size, int patch, int stride, "
        "int pad, int dilation -> Tensor: [N, patch, patch, (H + 2 * pad - kernel_size) // stride + 1, "
        "(W + 2 * pad - kernel_size) // stride + 1]",
        "fused ssim": "float C1, float C2, Tensor img1: float32[B, CH, H, W], Tensor img2: float32[B, CH, H, W], bool train "
        "-> (Tensor ssim_map: float32[B, CH, H, W], Tensor? dm_dmu1: float32[B, CH, H, W] if train)",
    },
    "sorting and NMS": {
        "torchvision nms": "Tensor dets: [N, 4], Tensor scores: [N], float iou_threshold -> Tensor: int64[K?]",
        "nms, with a count": "Tensor dets: [N, 4], Tensor scores: [N], float iou_threshold "
        "-> (Tensor keep: int64[N], Tensor count: int64[])",
        "OpenPCDet boxes_iou3d": "Tensor boxes_a: float32[N, 7], Tensor boxes_b: float32[M, 7] -> Tensor: float32[N, M]",
        "mmcv assign_score_withk": "Tensor points: [B, N0, M, O], Tensor centers: [B, N0, M, O], Tensor scores: [B, N1, K, M], "
        "Tensor knn_idx: int64[B, N1, K], int aggregate -> Tensor: [B, O, N1, K]",
        "vLLM topk_softmax": "Tensor(a!) topk_weights: float32[T, K], Tensor(b!) topk_indices: int32[T, K], "
        "Tensor(c!) token_expert_indices: int32[T, K], Tensor gating_output: [T, E] -> ()",
        "vLLM moe_align_block_size": "Tensor topk_ids: int32[T, K], int num_experts, int block_size, "
        "Tensor(a!) sorted_token_ids: int32[S], Tensor(b!) experts_ids: int32[E], Tensor(c!) num_tokens_post_pad: int32[1] -> ()",
        "detectron2 nms_rotated": "Tensor dets: [N, 5], Tensor scores: [N], float iou_threshold -> Tensor: int64[K?]",
    },
    "rasterization": {
        "gsplat quat_scale_to_covar": "Tensor quats: float32[N, 4], Tensor scales: float32[N, 3] -> Tensor: float32[N, 3, 3]",
        "gsplat isect_offset_encode": "Tensor isect_ids: int64[K], int C, int tile_width, int tile_height "
        "-> Tensor: int32[C, tile_height, tile_width]",
        "gsplat spherical_harmonics": "Tensor dirs: float32[..., 3], Tensor coeffs: float32[..., K, 3], Tensor? masks: bool[...]=None, "
        "int degree=3 -> Tensor: float32[..., 3]",
        "gsplat rasterize": "Tensor means2d: float32[C, N, 2], Tensor conics: float32[C, N, 3], Tensor colors: float32[C, N, D], "
        "Tensor opacities: float32[C, N], Tensor? backgrounds: float32[C, D], int width, int height, int tile_size, "
        "Tensor tile_offsets: int32[C, th, tw], Tensor flatten_ids: int32[K] -> (Tensor renders: float32[C, height, width, D], "
        "Tensor alphas: float32[C, height, width, 1], Tensor last_ids: int32[C, height, width])",
        "nerfacc composite": "Tensor sigmas: float32[S], Tensor rgbs: float32[S, 3], Tensor deltas: float32[S, 2], "
        "Tensor rays: int32[N, 3] -> (Tensor weights_sum: float32[N], Tensor depth: float32[N], Tensor image: float32[N, 3])",
        "nerfacc ray_marching": "Tensor rays_o: float32[N, 3], Tensor rays_d: float32[N, 3] -> Tensor: float32[S?, 3]",
        "gsplat quat_scale_to_covar_preci": "Tensor quats: float32[N, 4], Tensor scales: float32[N, 3], bool compute_covar, "
        "bool compute_preci, bool triu -> (Tensor? covars: float32[N, 3, 3] if compute_covar, "
        "Tensor? precis: float32[N, 3, 3] if compute_preci)",
        "gsplat projection_ewa_3dgs_fused": "Tensor means: float32[N, 3], Tensor? covars: float32[N, 6], "
        "Tensor? quats: float32[N, 4], Tensor? scales: float32[N, 3], Tensor viewmats: float32[C, 4, 4], "
        "Tensor Ks: float32[C, 3, 3], int image_width, int image_height, float eps2d, float near_plane, float far_plane, "
        "float radius_clip, bool calc_compensations, int camera_model -> (Tensor radii: int32[C, N, 2], "
        "Tensor means2d: float32[C, N, 2], Tensor depths: float32[C, N], Tensor conics: float32[C, N, 3], "
        "Tensor? compensations: float32[C, N] if calc_compensations)",
    },
    "attention": {
        "vLLM paged_attention": "Tensor(a!) out: [T, M, D], Tensor query: [T, M, D], Tensor key_cache: [B, G, D, S], "
        "Tensor value_cache: [B, G, D, S], int num_kv_heads, float scale, Tensor block_tables: int32[T, P], "
        "Tensor seq_lens: int32[T], int block_size, int max_seq_len, Tensor? alibi_slopes: float32[M] -> ()",
        "vLLM reshape_and_cache": "Tensor key: [T, M, D], Tensor value: [T, M, D], Tensor(a!) key_cache: [B, S, M, D], "
        "Tensor(b!) value_cache: [B, S, M, D], Tensor slot_mapping: int64[T] -> ()",
        "vLLM rotary_embedding": "Tensor positions: int64[T], Tensor(a!) query: [T, H * head_size], "
        "Tensor(b!) key: [T, G * head_size], int head_size, Tensor cos_sin_cache: [P, R], bool is_neox -> ()",
        "vLLM copy_blocks": "Tensor(a!)[] key_caches: [P, S, M, D], Tensor(b!)[] value_caches: [P, S, M, D], "
        "Tensor block_mapping: int64[N, 2] -> ()",
        "SGLang merge_state": "Tensor v_a: [T, M, D], Tensor s_a: float32[T, M], Tensor v_b: [T, M, D], Tensor s_b: float32[T, M], "
        "Tensor(a!) v_merged: [T, M, D], Tensor(b!) s_merged: float32[T, M] -> ()",
        "flash attention": "Tensor q: float16[B, T, M, D], Tensor k: float16[B, S, M, D], Tensor v: float16[B, S, M, D], float scale, "
        "bool causal -> (Tensor out: float16[B, T, M, D], Tensor lse: float32[B, M, T])",
        "flash attention varlen": "Tensor q: float16[T, M, D], Tensor k: float16[S, G, D], Tensor v: float16[S, G, D], "
        "Tensor cu_seqlens_q: int32[B + 1], Tensor cu_seqlens_k: int32[B + 1], int max_seqlen_q, int max_seqlen_k, "
        "float softmax_scale, bool is_causal -> (Tensor out: float16[T, M, D], Tensor lse: float32[M, T])",
        "flash attention's gradient": "Tensor dout: float16[B, T, M, D], Tensor q: float16[B, T, M, D], "
        "Tensor k: float16[B, S, G, D], Tensor v: float16[B, S, G, D], Tensor out: float16[B, T, M, D], "
        "Tensor lse: float32[B, M, T], float softmax_scale, bool is_causal -> (Tensor dq: float16[B, T, M, D], "
        "Tensor dk: float16[B, S, G, D], Tensor dv: float16[B, S, G, D], Tensor softmax_d: float32[B, M, T])",
    },
    "packed products": {
        "awq dequantize": "Tensor kernel: int32[K, N], Tensor scaling_factors: float16[G, 8 * N], Tensor zeros: int32[G, N] "
        "-> Tensor: float16[K, 8 * N]",
        "gptq gemm": "Tensor a: float16[M, K], Tensor b_q_weight: int32[K // 8, N], Tensor b_gptq_qzeros: int32[G, N // 8], "
        "Tensor b_gptq_scales: float16[G, N], Tensor b_g_idx: int32[K], bool use_exllama, int bit -> Tensor: float16[M, N]",
        "bitsandbytes dequantize_4bit": "Tensor A: uint8[N], Tensor absmax: float32[B], int blocksize -> Tensor: float16[2 * N]",
        "cutlass scaled_mm": "Tensor(a!) out: bfloat16[M, N], Tensor a: float8_e4m3fn[M, K], Tensor b: float8_e4m3fn[K, N], "
        "Tensor a_scales: float32[M, 1], Tensor b_scales: float32[1, N], Tensor? bias: bfloat16[N] -> ()",
    },
    "gather and scatter": {
        "torch_scatter segment_csr": "Tensor src: [N, D], Tensor indptr: int64[S + 1] -> Tensor: [S, D]",
        "scatter max": "Tensor src: [N, D], Tensor index: int64[N], int dim_size -> (Tensor out: [dim_size, D], "
        "Tensor arg_out: int64[dim_size, D])",
        "DGL edge softmax": "Tensor score: [E, M], Tensor dst: int64[E], int num_nodes -> Tensor: [E, M]",
        "embedding bag": "Tensor weight: [V, D], Tensor indices: int64[N], Tensor offsets: int64[B] -> Tensor: [B, D]",
        "vLLM permute": "Tensor hidden: [T, D], Tensor topk_ids: int32[T, K] -> (Tensor permuted: [T * K, D], "
        "Tensor inverse: int32[T, K])",
    },
    "small linear algebra": {
        "batched 3 x 3 svd": "Tensor a: [..., 3, 3] -> (Tensor u: [..., 3, 3], Tensor s: [..., 3], Tensor v: [..., 3, 3])",
        "lietorch se3_exp": "Tensor a: [B, 6] -> Tensor: [B, 7]",
        "batched solve": "Tensor a: [B, N, N], Tensor b: [B, N, K] -> Tensor: [B, N, K]",
        "lietorch act": "Tensor a: [B, 7], Tensor p: [B, 3] -> Tensor: [B, 3]",
    },
    "sparse": {
        "csr spmm": "Tensor rowptr: int64[M + 1], Tensor col: int64[E], Tensor value: [E], Tensor mat: [K, N] -> Tensor: [M, N]",
        "sddmm": "Tensor row: int64[E], Tensor col: int64[E], Tensor a: [M, K], Tensor b: [N, K] -> Tensor: [E]",
        "spconv indices": "Tensor indices: int32[N, 4], int kernel_volume -> Tensor: int32[kernel_volume, 2, K?]",
    },
    "scan": {
        "mamba selective_scan": "Tensor u: [B, D, L], Tensor delta: [B, D, L], Tensor A: float32[D, S], Tensor Bv: [B, S, L], "
        "Tensor Cv: [B, S, L], Tensor? z: [B, D, L]=None -> (Tensor out: [B, D, L], Tensor last_state: float32[B, D, S])",
        "causal_conv1d_update": "Tensor x: [B, D], Tensor(a!) conv_state: [B, D, W], Tensor weight: [D, W], Tensor? bias: [D], "
        "bool silu -> Tensor: [B, D]",
        "rwkv wkv": "int B, int T, int C, Tensor w: float32[C], Tensor u: float32[C], Tensor k: [B, T, C], Tensor v: [B, T, C] "
        "-> Tensor: [B, T, C]",
    },
    "quantization": {
        "SGLang per_token_quant_fp8": "Tensor input: [T, D], Tensor(a!) output_q: float8_e4m3fn[T, D], Tensor(b!) output_s: float32[T] -> ()",
        "vLLM static_scaled_int8_quant": "Tensor(a!) out: int8[..., D], Tensor input: [..., D], Tensor scale: float32[1], Tensor? azp: int32[1] -> ()",
        "SGLang per_token_group_quant": "Tensor input: [T, G * group_size], int group_size, float eps "
        "-> (Tensor q: int8[T, G * group_size], Tensor s: float32[T, G])",
    },
    "optimizers": {
        "fused adam": "Tensor(a!) p: [N], Tensor g: [N], Tensor(b!) m: float32[N], Tensor(c!) v: float32[N], float lr, float beta1, "
        "float beta2, float eps, int step -> ()",
        "apex multi_tensor": "Tensor[] grads, Tensor(a!)[] params, float lr -> ()",
    },
    "dynamic programming": {
        "soft-dtw": "Tensor D: [B, N, M], float gamma, int bandwidth -> Tensor: [B, N + 2, M + 2]",
        "rnnt": "Tensor log_probs: float32[B, T, U, V], Tensor labels: int32[B, U - 1], Tensor input_lengths: int32[B], "
        "Tensor label_lengths: int32[B], int blank -> (Tensor costs: float32[B], Tensor alphas: float32[B, T, U])",
    },
    "elementwise": {
        "vLLM silu_and_mul": "Tensor(a!) out: [..., D], Tensor input: [..., 2 * D] -> ()",
        "vLLM gelu_new": "elementwise: Tensor(a!) out, Tensor input -> ()",
        "liger swiglu": "elementwise: Tensor gate, Tensor up",
        "mish": "elementwise: Tensor input",
        "stylegan bias_act": "Tensor x: [N, C, H, W], Tensor? b: [C], float alpha, float gain, float clamp -> Tensor: [N, C, H, W]",
        "mmcv sigmoid_focal_loss": "Tensor input: [N, C], Tensor target: int64[N], Tensor weight: [C], float gamma, float alpha "
        "-> Tensor: [N, C]",
        "dropout and residual": "Tensor x: [N], Tensor residual: [N], Tensor mask: uint8[N], float p -> Tensor: [N]",
        "BigVGAN snake": "Tensor x: [B, C, L], Tensor alpha: [C], Tensor beta: [C] -> Tensor: [B, C, L]",
        "gsplat relocation": "Tensor opacities: float32[N], Tensor scales: float32[N, 3], Tensor ratios: int32[N], "
        "Tensor binoms: float32[M, M], int n_max -> (Tensor new_opacities: float32[N], Tensor new_scales: float32[N, 3])",
    },
    "row reductions": {
        "vLLM rms_norm": "rowwise: Tensor(a!) out: [..., N], Tensor input: [..., N], Tensor weight: [N], float epsilon -> ()",
        "vLLM fused_add_rms_norm": "rowwise: Tensor(a!) input: [..., N], Tensor(b!) residual: [..., N], Tensor weight: [N], "
        "float epsilon -> ()",
        "apex layer_norm": "rowwise: Tensor input: [..., N], Tensor? weight: [N], Tensor? bias: [N], float eps "
        "-> (Tensor out: [..., N], Tensor mean: float32[...], Tensor rstd: float32[...])",
        "apex xentropy": "rowwise: Tensor logits: [..., N], Tensor labels: int64[...], float smoothing "
        "-> (Tensor losses: float32[...], Tensor lse: float32[...])",
        "l2 norm of rows": "rowwise: Tensor x: [..., N], float eps -> Tensor: [..., N]",
        "apex scaled_masked_softmax": "Tensor input: [B, M, Q, K], Tensor mask: uint8[B, 1, Q, K], float scale "
        "-> Tensor: [B, M, Q, K]",
        "apex group_norm": "Tensor x: [N, H, W, C], Tensor weight: [C], Tensor bias: [C], int groups, float eps "
        "-> (Tensor out: [N, H, W, C], Tensor mean: float32[N, groups], Tensor rstd: float32[N, groups])",
        "apex welford_mean_var": "Tensor input: [N, C, L] -> (Tensor mean: float32[C], Tensor var: float32[C])",
    },
    "products": {
        "a product": "matmul: Tensor a, Tensor b",
        "a product with bias": "matmul: Tensor a, Tensor b, Tensor? bias=None",
        "a product into a result": "matmul: Tensor(a!) c, Tensor a, Tensor b -> ()",
        "grouped_gemm": "Tensor a: [T, K], Tensor b: [E, K, N], Tensor batch_sizes: int64[E], bool trans_b -> Tensor: [T, N]",
        "batched products": "Tensor a: [B, M, K], Tensor b: [B, K, N] -> Tensor: [B, M, N]",
        "punica bgmv": "Tensor(a!) y: [B, N], Tensor x: [B, K], Tensor w: [L, N, K], Tensor indices: int64[B], float scale -> ()",
        "SGLang dsv3_router_gemm": "Tensor(a!) output: float32[T, E], Tensor mat_a: bfloat16[T, K], Tensor mat_b: bfloat16[E, K] "
        "-> ()",
    },
    "images": {
        "rgb to gray": "Tensor image: uint8[H, W, 3] -> Tensor: uint8[H, W]",
    },
}


def kernel_of(text):
    """The kernel that one of them starts from, and its signature."""
    kernel, _, signature = text.partition(": ")
    return (
        (kernel, signature) if kernel in ["elementwise", "rowwise", "matmul"] else ("custom", text)
    )


def real_operators(texts=None):
    """The kernels and signatures of all that are accepted, by names for their operators."""
    operators = {}
    for ops in [texts] if texts else FAMILIES.values():
        for name, text in ops.items():
            if not refusal_of(text):
                kernel, signature = kernel_of(text)
                arguments, arrow, results = signature.partition(" -> ")
                op = "drawn_" + re.sub(r"\W+", "_", name.lower())
                operators[op] = kernel, f"({arguments}){arrow}{results}"
    return operators


def library_operators():
    """The same of the operators that libraries define."""
    texts = {}
    for path in DEFINITIONS.values():
        for one in yaml.safe_load(path.read_text())["operators"]:
            if "written" in one:
                texts[f"{one['library']} {len(texts)}"] = one["written"]
    return real_operators(texts)


def odd_operators():
    """The same of operators with many features at once, written by hand; they are as `more_ops` takes them."""
    operators = {}
    for line in yaml.safe_load((ROOT / "tests/lib/odd_operators.yaml").read_text()):
        kernel, name, schema = re.fullmatch(r"(\w+): (\w+)(.*)", line).groups()
        operators[f"drawn_{name}"] = kernel, schema
    return operators


def refusal_of(text):
    """The sentence that refuses one of them, or nothing."""
    kernel, signature = kernel_of(text)
    refuse = module("questions/signature.jinja")
    return refuse.refuse_signature(signature, "an_operator", kernel).strip()


def table():
    """A row for each family, and the share of the sample: each family counts as the sample has it."""
    lines = [
        "| family | of the sample | signatures | accepted | refused |",
        "|---|--:|--:|--:|---|",
    ]
    share = 0
    for family, percent in SAMPLE.items():
        ops = FAMILIES[family]
        refused = [name for name in ops if refusal_of(ops[name])]
        accepted = len(ops) - len(refused)
        share += percent * accepted / len(ops)
        lines += [f"| {family} | {percent} % | {len(ops)} | {accepted} | {', '.join(refused)} |"]
    signatures = sum(len(ops) for ops in FAMILIES.values())
    known = sum(SAMPLE.values())
    lines += [f"| **together** | {known} % | {signatures} | {share / known:.0%} | |"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")
