

# Counts floating-point operations, as torch.utils.flop_counter does for PyTorch's products.
_checks.register_flops(‹_op{{ ', _forward_op' if item.written }}{{
  ', backward=_backward_op' if item.passes | length > 1 }}›)
