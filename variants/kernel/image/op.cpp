{% set pass = item.passes[0] %}
// `{{ item.name }}` for tensors: checks, allocation, choice of kernel.
#include "../kit/pixel_tensors.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

// The numbers of {{ item.name }}.h. {{ item.name }}_cpu.cpp defines them,
// so that an edit of the math does not recompile this file.
int64_t {{ item.name }}_channels_in();
int64_t {{ item.name }}_channels_out();

Tensor {{ item.name }}(‹{{ cpp.parameters(pass) }}›) {
  constexpr Dtypes<{{ item.cpu_types | join(', ') }}> dtypes{};
  const Checks check(‹"{{ item.name }}", {{ cpp.named(item, item.first) }}, {{ item.first }}›);
  check(‹{{ cpp.named(item, item.first) }}, {{ item.first }}, dtypes›);
  const int64_t channels = {{ item.name }}_channels_in();
  check.channels(channels);
  {{ item.first }} = as_contiguous({{ item.first }});
  Tensor {{ item.results[0] }} = empty_pixels({{ item.first }}, {{ item.name }}_channels_out());
  const int64_t count = {{ item.first }}.numel() / channels;

  for_dtype_of(dtypes, {{ item.first }}, count, [&](auto runner) {
    using T = typename decltype(runner)::T;
    {{ item.class_name }}Args<T> args{};
    {{ cpp.filled_fields(pass) | trim | indent(4) }}
    args.count = count;
    runner.run(args, count);
  });
  return {{ item.results[0] }};
}

}  // namespace {{ project }}
