{% set remedy = 'start Python anew, which compiles it' %}
{% include pathjoin('variants', 'build', 'cached_build.py') %}
