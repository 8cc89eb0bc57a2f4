  const Checks check(‹"{{ item.name }}", {{ cpp.named(item, first) }}, {{ first }}›);
  check.floating(); {{- cpp.checks(item, pass) | indent(2) }}
{{ cpp.check_lengths(item) | regex_replace('(?m)^(?=.)', '  ') if not pass.grads -}}
{% for x in pass.laid_out %}
  {{ cpp.guard(x) }}{{ x.name }} = {{ 'as_contiguous(' if item.layout == 'contiguous'
    else 'as_dense(' if x.name == item.model else 'in_layout_of(%s, ' % item.model }}{{ cpp.value(x) }});
{% endfor %}
{% for x in pass.outputs if x in pass.given %}
  {{ cpp.guard(x) }}check_output(‹"{{ item.name }}", {{ cpp.named(item, x.name) }}, {{ ([cpp.value(x)]
    + pass.given | map(attribute='name') | reject('equalto', x.name) | list) | join(', ') }}›);
{% endfor %}
{% set dtype = 'result_dtype' if item.dtype_optional else item.dtype %}
{{ '  const c10::ScalarType result_dtype = %s.value_or(%s.scalar_type());\n' % (item.dtype, first)
  if pass.typed and item.dtype_optional -}}
{{ '  check.dtype(‹%s, %s, Floats()›);\n' % (cpp.named(item, item.dtype), dtype) if pass.typed -}}
{% for x in pass.made %}
  {{ cpp.defined(x) }} = empty_{{ item.layout }}({{ x.like }}{{ ', ' ~ dtype if pass.typed }});
{% endfor %}
  const int64_t numel = {{ first }}.numel();
  {{ 'for_dtypes(%s, %s' % (first, pass.made[0].name) if pass.typed
    else 'for_dtype(' ~ first }}, numel, [&](auto runner) {
    using T = typename decltype(runner)::T;{{
      '\n    using Out = typename decltype(runner)::Out;' if pass.typed }}
    {{ pass.class_name }}Args<T{{ ', Out' if pass.typed }}> args{};
    {{ cpp.filled_fields(pass) | trim | indent(4) }}
    args.numel = numel;
    runner.run(args, numel);
  });
