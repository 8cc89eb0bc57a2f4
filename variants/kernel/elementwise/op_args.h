  int64_t numel;
