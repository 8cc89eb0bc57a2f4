    ctx->save_for_backward({ {{- item.inputs | map(attribute='to_save') | join(', ') -}} });
