  int64_t count;
