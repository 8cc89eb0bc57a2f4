{% from pathjoin('languages', 'names.jinja') import kit, own with context %}
{% from pathjoin('questions', 'dtypes.jinja') import named_list %}
{% set args, i = own('args', item.given_names), own('i', item.given_names) %}
{% set floating = item.variables | selectattr('floating') | map(attribute='cpp') | list %}
{% set at = item.coordinates | reverse | map(attribute='name') | join(', ') %}
// `{{ item.name }}`: what one thread computes, the same on CPU and GPU.
{% if item.shapes.tensors | rejectattr('result') | selectattr('fixed', 'in', ['int32', 'int64'] + item.variables
  | rejectattr('floating') | map(attribute='name') | list) | list %}
// A thread cannot raise an error for an index out of bounds, as index_add does. It must skip such
// an index; otherwise it accesses memory out of bounds.
{% endif %}
#pragma once

#include "../kit/atomic.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

// EDIT: element {{ i }} of `{{ item.first_output }}`{{ ', which is at [%s]' % at if at }}.{{ ' ' -}}
{{ 'There are as many threads as elements in the largest of %s: compare %s with the number of elements of each. '
  % (named_list(item.outputs), i) if item.uneven -}}
If several threads add to one element, call atomic_add.{{
  ' Add up in sum_t<%s>, which is float for 16-bit dtypes and int64_t for integers.' % item.integers[0] if item.integers
  else ' Compute in opmath_t<%s>, which is float for 16-bit dtypes.' % floating[0] if floating and not item.fixed }}
{% for most in item.shapes.counted %}
{% set cut = item.cut | selectattr('1.name', 'equalto', most.size) | selectattr('1.place') | map(attribute=0) | first
  | default({}) %}
//
// Write the number of results, {{ most.size }}, to *{{ most.count }}, which is initially 0: either one thread{{ ' ' -}}
writes it, or each thread that finds a result calls atomic_add({{ most.count }}, 1), which returns its place.{{
  ' Before the cut, `%s` is [%s].' % (cut.name, cut.sizes | join(', ', 'value')) if cut }}
{% endfor %}
{{ item.template -}}
HOST_DEVICE void {{ item.name }}_thread(‹int64_t {{ i }}, const {{ item.args_type }}& {{ args }}›) {
{% set names = item.fields | map(attribute='name') | join(', ') %}
{# clang-format keeps no break in `auto&`. The last word is `name] = args;`. #}
{% set long = not item.lists and names | length > 77 %}
  const auto{{ '\n      ' if long else '& ' if item.lists else ' ' }}[{{ (names ~ ']_=_%s;' % args)
    | wordwrap(93 if long else 999, false, '\n       ', false) | replace(']_=_', '] = ') }}

{% for x in item.coordinates %}
  [[maybe_unused]] const int64_t {{ x.name }} = {{ x.value }};
{% endfor %}
{% for most in item.shapes.counted %}
  if ({{ i }} == 0) *{{ most.count }} = {{ most.name }};
{% endfor %}
{% for x in item.fields if x.at | default('') %}
  const int64_t {{ x.index }} = {{ x.at }};
{% endfor %}
{% set element = '%s[%s]' % (item.source, item.source_index) %}
{% for x in item.fields if x.output is defined %}
{% set value = element if x.output == item.source_type
  else '%s<%s>(%s)' % (kit('cast_to', item.given_names), x.output, element) %}
{% set guards = ([x.name] if x.when else []) + ([i ~ ' < ' ~ x.count] if not item.same_counts else []) %}
{% set value = '%s(0)' % x.output if not item.source else value if x.count == item.element
  else '%s < %s ? %s : %s(0)' % (i, item.element, value, x.output) %}
{% set line = '%s%s%s[%s] = ‹%s›;' % ('if (%s)\n  ' % guards | join(' && ') if guards, x.name,
  '[%s]' % x.each if x.loop, x.index | default(i), value) %}
  {{ ('%s {\n  %s\n}' % (x.loop, line | indent(2)) if x.loop else line) | indent(2) }}
{% endfor %}
}

}  // namespace {{ project }}
