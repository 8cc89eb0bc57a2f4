  if ({{ differentiated }}) {
    TORCH_CHECK(false, "{{ item.name }}: torch.func and forward mode can't follow what it writes to; call {{ item.name }}_reference there");
  }
