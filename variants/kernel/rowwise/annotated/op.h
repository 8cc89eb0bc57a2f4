{% from pathjoin('languages', 'names.jinja') import kit with context %}
{% set value_t = item.value_t %}
{% set state = item.class_name ~ 'State' %}
{% set row = '%sRow<%s>& %s' % (item.class_name, value_t, item.row) %}
{% set source = item.source if item.source_value == value_t else 'static_cast<%s>(%s)' % (value_t, item.source) %}
// `{{ item.name }}`: its math, the same on CPU and GPU.
#pragma once

#include "../kit/compute.h"
#include "{{ item.name }}_args.h"

namespace {{ project }} {

// {{ value_t }} is double for double, and float for all other floating-point types. Integers keep their
// type. An optional value is a pointer. Call rsqrt and the functions of <math.h> without std::,
// as in exp(x). Write constants as {{ value_t }}(0.5): with a plain 0.5, float math is computed in
// double.

{% if item.elements %}
// EDIT: the values of a row that all of its elements need.
template <typename {{ value_t }}>
struct {{ item.class_name }}Row {
  {{ value_t }} scale;
};

{% endif %}
// EDIT: the state of some elements of a row. Each thread adds its own elements to an initial state,
// in any order, and then the states of the threads are merged. merge must accept initial states,
// even on both sides. A state without members is not merged.
template <typename {{ value_t }}>
struct {{ state }} {
  {{ value_t }} {{ item.largest }} = 0;

  HOST_DEVICE void add(‹{{ item.arguments | join(', ', 'parameter') }}, int64_t {{ item.column }}›) {
    {{ item.largest }} = {{ kit('max_nan', item.given_names) }}<{{ value_t }}>({{ item.largest }}, fabs({{ source }}));
  }

  // Adds adjacent elements from this column on, which a thread of the GPU reads together. They can
  // share math, such as the maximum of a softmax.
  template <int kCount>
  HOST_DEVICE void add(‹{{ item.arguments | join(', ', 'neighbours') }}, int64_t {{ item.column }}›) {
    for (int {{ item.neighbour }} = 0; {{ item.neighbour }} < kCount; ++{{ item.neighbour }}) {
      this->add(‹{{ item.arguments | join(', ', 'neighbour') }}, {{ item.column }}++›);
    }
  }

  HOST_DEVICE void merge(const {{ state }}& other) {
    {{ item.largest }} = {{ kit('max_nan', item.given_names) }}({{ item.largest }}, other.{{ item.largest }});
  }

  // Computes the results of the row after all of its elements were added; a row may have no elements.
  HOST_DEVICE void finish(‹{{ [item.finish_fields | join(', ', 'finish_parameter'),
    'int64_t ' ~ item.columns, row if item.elements else '',
    item.of_row | rejectattr('read') | join(', ', 'finish_parameter')] | select | join(', ') }}›) {
{{ '    %s.scale = %s;\n' % (item.row, item.largest) if item.elements -}}
{% for x in item.of_row if x.write %}
    {{ 'if (%s) *' % x.name if x.optional }}{{ x.name }} = {{ item.largest if x.value == value_t
      else 'static_cast<%s>(%s)' % (x.value, item.largest) }};
{% endfor %}
  }
};
{% if item.elements %}

// EDIT: the math of one element.
template <typename {{ value_t }}>
HOST_DEVICE void {{ item.name }}_element(‹{{ [item.arguments | join(', ', 'element_parameter'),
  'int64_t ' ~ item.column, 'const ' ~ row,
  item.elements | rejectattr('read') | join(', ', 'element_parameter')] | select | join(', ') }}›) {
{# What is written to may be what is read. #}
  const {{ value_t }} {{ item.scaled }} = {{ source }} * {{ item.row }}.scale;
{% for x in item.elements %}
{# A negative number is none of uint8_t. #}
{% set value = 'static_cast<int64_t>(%s)' % item.scaled if x.value == 'uint8_t' else item.scaled %}
  {{ 'if (%s) *' % x.name if x.optional }}{{ x.name }} = {{ value if x.value == value_t
    else 'static_cast<%s>(%s)' % (x.value, value) }};
{% endfor %}
}
{% endif %}

}  // namespace {{ project }}
