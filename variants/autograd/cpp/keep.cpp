    ctx->save_for_backward({ {%- for x in item.inputs %}{{ x.name }}{{ '.value_or(Tensor())' if x.optional }}{{ '' if loop.last else ', ' }}{% endfor -%} });
