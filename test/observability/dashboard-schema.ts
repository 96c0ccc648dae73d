/** What Grafana needs of a dashboard to show it, as far as ours uses it (JSON Schema, draft 7): nothing else may be in it. */
const text = { type: 'string' } as const
const count = { type: 'integer', minimum: 0 } as const
const filled = { type: 'string', minLength: 1 } as const

const closed = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})

const datasource = closed(['type', 'uid'], {
  type: { const: 'prometheus' },
  // By the variable, so that it works with any Prometheus.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Grafana's own.
  uid: { const: '${datasource}' },
})

const gridPos = closed(['h', 'w', 'x', 'y'], {
  h: { type: 'integer', minimum: 1 },
  w: { type: 'integer', minimum: 1, maximum: 24 },
  x: { type: 'integer', minimum: 0, maximum: 23 },
  y: count,
})

const target = closed(['refId', 'datasource', 'expr', 'legendFormat'], {
  refId: { type: 'string', pattern: '^[A-Z]$' },
  datasource,
  expr: filled,
  legendFormat: text,
})

const row = closed(['id', 'type', 'title', 'gridPos'], {
  id: count,
  type: { const: 'row' },
  title: filled,
  collapsed: { const: false },
  gridPos,
  panels: { type: 'array', maxItems: 0 },
})

const chart = closed(['id', 'type', 'title', 'datasource', 'gridPos', 'fieldConfig', 'options', 'targets'], {
  id: count,
  type: { enum: ['timeseries', 'stat'] },
  title: filled,
  description: filled,
  datasource,
  gridPos,
  fieldConfig: closed(['defaults', 'overrides'], {
    defaults: {
      type: 'object',
      required: ['unit'],
      properties: {
        // Names of Grafana's units (Standard options, Unit).
        unit: { enum: ['short', 'reqps', 'cps', 's', 'bytes', 'percentunit', 'currencyBRL'] },
        min: { type: 'number' },
        max: { type: 'number' },
        custom: { type: 'object' },
      },
      additionalProperties: false,
    },
    overrides: { type: 'array' },
  }),
  options: { type: 'object' },
  targets: { type: 'array', minItems: 1, items: target },
})

const variable = {
  type: 'object',
  required: ['name', 'type'],
  properties: { name: filled, type: { enum: ['datasource', 'query', 'custom'] } },
}

export const dashboardSchema = {
  type: 'object',
  required: ['uid', 'title', 'schemaVersion', 'panels', 'templating', 'time'],
  properties: {
    uid: { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,40}$' },
    title: filled,
    schemaVersion: { type: 'integer', minimum: 36 },
    time: closed(['from', 'to'], { from: filled, to: filled }),
    templating: closed(['list'], { list: { type: 'array', items: variable } }),
    annotations: closed(['list'], { list: { type: 'array' } }),
    panels: { type: 'array', items: { anyOf: [row, chart] } },
  },
}
