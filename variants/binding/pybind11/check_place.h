  // The dispatcher lets no other devices through, but Python may call the function itself.
  TORCH_CHECK(
      tensor.is_cpu() || tensor.is_cuda(), op, ": ", name, " must be on CPU or GPU, but is on ",
      tensor.device());
