{# Where registers hold more than a row's accesses: with two tensors that are read they spill, and without columns
   nothing is waited for. #}
{% set ahead = item.elements and item.of_column and item.read | length == 1 %}
{% set size = 'k%sNeighbours' % item.class_name ~ ('' if item.fixed else '<%s>' % item.variables[0].cpp) %}
{% set accesses = 'k%sAccesses' % item.class_name %}
{% set instance = item.name ~ '_kernel<%s' ~ ('' if item.fixed else ', ' ~ item.variables[0].cpp) ~ '%s>' %}
// `{{ item.name }}` on the GPU.
#include "{{ item.name }}.h"

#include "../kit/{{ 'float8' if item.rows | join(' ', 'type') | regex_search('Float8|fp8') else 'rows' }}.cuh"

namespace {{ project }} {

// EDIT: the number of accesses to each tensor that a thread has in registers, if rows are aligned.
// With more, fewer threads share a row, and fewer blocks fit on a multiprocessor.
constexpr int {{ accesses }} = {{ item.accesses }};

{{ item.template -}}
constexpr int k{{ item.class_name }}Neighbours = neighbours<{{ item.of_element | map(attribute='type') | unique
  | join(', ') }}>();

{{ '// kWhole is for rows of one part, because a loop over parts would delay the loads.\n' if ahead -}}
template <bool kAligned{{ '' if item.fixed else ', typename ' ~ item.variables[0].cpp }}{{
  ', bool kWhole = false' if ahead }}>
__global__ void __launch_bounds__(kMaxRowThreads) {{ item.name }}_kernel(‹{{ item.args_type }} args›) {
  using {{ item.value_t }} = {{ item.value_type }};
  using State = {{ item.class_name }}State<{{ item.value_t }}>;
  constexpr int kSize = kAligned ? {{ size }} : 1;
  constexpr int kAccesses = kAligned ? {{ accesses }} : kElementAccesses;
  using Part = RowPart<kSize, kAccesses>;
{% if ahead %}
  // Columns are read for several accesses together, because the compiler does not move a read
  // before an earlier write.
  constexpr int kColumnAccesses = kAligned && !kWhole ? 1 : {{ [4 // item.of_column | length, 1] | max }};
{% endif %}
  {{ cpp.each(item.read, 'Neighbours<{type}, kSize> {name}_accesses[kAccesses];') | indent(2) }}
{% for x in item.of_column if ahead %}
  Neighbours<{{ x.type }}, kSize> {{ x.name }}_accesses[kColumnAccesses];
{% endfor %}
  {{ cpp.each(item.of_element + item.of_column, '{value} {name}_values[kSize];') | indent(2) }}

  const RowPlace place;
  const int64_t at = place.row;
  const int64_t start = at * args.{{ item.columns }};
  const bool exists = at < args.{{ item.counted }};
  const int64_t size = exists ? args.{{ item.columns }} : 0;
  const int last = {{ 'kWhole ? 0 : ' if ahead }}Part::count(place, args.{{ item.columns }}) - 1;
{% for x in item.of_element %}
  {{ '' if x.write else 'const ' }}{{ x.type }}* const {{ x.name }}_row = {{
    'args.%s ? args.%s + start : nullptr' % (x.name, x.name) if x.optional else 'args.%s + start' % x.name }};
{% endfor %}
{% for x in item.of_row %}
  {{ x.value }} {{ x.name }}_value{};
{{ '  if (%sexists) %s_value = %s;\n' % ('args.%s && ' % x.name if x.optional else '', x.name, x.loaded)
  if x.read -}}
{% endfor %}

  State state;
  const RowMerge<State, {{
    (item.of_row | selectattr('write') | selectattr('read') | list != []) | lower }}> merge(place);
  for (int p = 0; p <= last; ++p) {
    const Part part(place, size, p);
    {{ cpp.each(item.read, 'part.load({name}_row, {name}_accesses);') | indent }}
#pragma unroll
    for (int i = 0; i < kAccesses; ++i) {
      if (kAligned && !part.has(i)) continue;
      {{ cpp.each(item.read, '{name}_accesses[i].unpack({name}_values);') | indent(6) }}
{% for x in item.of_column %}
      part.{{ 'load_optional' if x.optional else 'load' }}(args.{{ x.name }}, i, {{ x.name }}_values);
{% endfor %}
      if (!part.has(i)) continue;
      state.add(‹{{ item.arguments | join(', ', 'all_arguments') }}, part.column(i)›);
    }
  }
  merge(state);

{{ '  %sRow<%s> row;\n' % (item.class_name, item.value_t) if item.elements }}  state.finish(‹{{ item.finish_arguments
  | join(', ') }}›);
{% if item.of_row | selectattr('write') | list %}
  if (place.thread == 0 && exists) {
    {{ cpp.each(item.of_row | selectattr('write'), '{given}args.{place} = rounded<{type}>({name}_value);') | indent }}
  }
{% endif %}
{% if item.elements %}

  // From the last part on, because its accesses are still in registers.
  for (int p = last; p >= 0; --p) {
    const Part part(place, size, p);
    {{ cpp.each(item.read, 'if (p < last) part.load({name}_row, {name}_accesses);') | indent }}
#pragma unroll
    for (int i = 0; i < kAccesses; ++i) {
{% if ahead %}
      if (i % kColumnAccesses == 0) {
        if (kAligned && !part.has(i)) break;
        {{ cpp.each(item.of_column, 'part.load_columns(args.{name}, i, {name}_accesses);') | indent(8) }}
      }
{% else %}
      if (kAligned && !part.has(i)) continue;
{% endif %}
{% for x in item.read %}
      {{ x.name }}_accesses[i].forget_unpacked();
      {{ x.name }}_accesses[i].unpack({{ x.name }}_values);
{% endfor %}
{% for x in item.of_column %}
{% if ahead %}
      {{ x.name }}_accesses[i % kColumnAccesses].unpack({{ x.name }}_values);
{% else %}
      part.{{ 'load_optional' if x.optional else 'load' }}(args.{{ x.name }}, i, {{ x.name }}_values);
{% endif %}
{% endfor %}
#pragma unroll
      for (int j = 0; j < kSize; ++j) {
        const int64_t column = part.column(i) + j;
        {{ item.name }}_element<{{ item.value_t }}>(‹{{ [item.arguments | join(', ', 'argument_j'), 'column, row',
          item.elements | rejectattr('read') | join(', ', 'argument_j')] | select | join(', ') }}›);
      }
{% for x in item.elements %}
      {{ 'if (%s_row) ' % x.name if x.optional }}part.store({{ x.name }}_row, i, {{ x.name }}_values);
{% endfor %}
    }
  }
{% endif %}
}
{% if build != 'nvrtc' %}

{{ item.template -}}
cudaError_t {{ item.args_type }}::run_on_gpu(cudaStream_t stream) const {
  const auto& args = *this;
  const bool aligned = rows_of_neighbours(‹args.{{ item.columns }}, {{ size }}, {{ (item.of_element + item.of_column)
    | map(attribute='name') | map('regex_replace', '^', 'args.') | join(', ') }}›);
  const int neighbours = aligned ? {{ size }} : 1;
  auto kernel = {{ instance | format('false', '') }};
  if (aligned) kernel = {{ instance | format('true', '') }};
{% if ahead %}
  auto of_whole_rows = kernel;
  if (aligned) of_whole_rows = {{ instance | format('true', ', true') }};
{% endif %}
  return launch_rows(‹kernel, {{ 'of_whole_rows' if ahead else 'kernel' }}, args.{{ item.counted }}, args.{{
    item.columns }}, {{ accesses }}, neighbours, {{ item.once | lower }}, stream, args›);
}
{% include pathjoin('variants', 'kernel', 'custom', 'instantiate.h') %}
{% endif %}

}  // namespace {{ project }}
