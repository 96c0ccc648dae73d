import t from 'tap'
import { readSettings } from '../../gateway/base/settings.ts'
import { settingTable } from '../../gateway/base/settings-table.ts'
import { type Manifest, manifestsIn, unknownFields, valuesRefused } from './kubernetes.ts'

/** The part of a StatefulSet that these tests look at. */
type Workload = Manifest & {
  readonly spec: {
    readonly serviceName: string
    readonly selector: { readonly matchLabels: Labels }
    readonly template: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly containers: readonly {
          readonly env?: readonly { readonly name: string }[]
          readonly ports: readonly { readonly name: string }[]
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
        }[]
        readonly volumes: readonly { readonly name: string }[]
      }
    }
    readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[]
  }
}
type Labels = Readonly<Record<string, string>>
type Selecting = Manifest & {
  readonly spec: { readonly selector: Labels; readonly ports: readonly { readonly targetPort: string }[] }
}
type Settings = Manifest & { readonly data: Labels }

/** What is applied together. */
const sets = { 'one node': ['one-node.yaml'], 'a cluster': ['nats.yaml', 'cluster.yaml'] }

for (const [title, files] of Object.entries(sets)) {
  const manifests = files.flatMap(manifestsIn)
  const ofKind = <M extends Manifest>(kind: string): M[] =>
    manifests.filter((manifest) => manifest.kind === kind) as M[]
  const workloads = ofKind<Workload>('StatefulSet')

  t.test(`Kubernetes knows every field and value of ${title}`, async (t) => {
    for (const manifest of manifests)
      t.equal(await valuesRefused(manifest), null, `${manifest.kind} ${manifest.metadata.name}`)
    t.strictSame(unknownFields(manifests), [])
  })

  t.test(`what the objects of ${title} name is there`, async (t) => {
    for (const { spec } of workloads) {
      const { containers, volumes } = spec.template.spec
      t.match(spec.template.metadata.labels, spec.selector.matchLabels)
      t.ok(ofKind('Service').some(({ metadata }) => metadata.name === spec.serviceName))
      const mountable = [
        ...volumes.map(({ name }) => name),
        ...spec.volumeClaimTemplates.map((c) => c.metadata.name),
      ]
      const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name))
      t.strictSame([...new Set(mounted)].sort(), mountable.sort())
    }
    const podsOf = (labels: Labels): Workload | undefined =>
      workloads.find(({ metadata }) => metadata.name === labels.app)
    for (const { metadata, spec } of ofKind<Selecting>('Service')) {
      const ports = podsOf(spec.selector)!.spec.template.spec.containers[0]!.ports.map(({ name }) => name)
      t.strictSame(
        spec.ports.filter(({ targetPort }) => !ports.includes(targetPort)),
        [],
        metadata.name,
      )
    }
    for (const budget of ofKind<Manifest & { spec: { selector: { matchLabels: Labels } } }>(
      'PodDisruptionBudget',
    ))
      t.ok(podsOf(budget.spec.selector.matchLabels), budget.metadata.name)
  })

  t.test(
    `the settings of ${title} are settings, fit together, and name files that are mounted`,
    async (t) => {
      const { data } = ofKind<Settings>('ConfigMap')[0]!
      const [container] = workloads.find(({ metadata }) => metadata.name === 'payments')!.spec.template.spec
        .containers
      const isNode = container!.env?.some(({ name }) => name === 'NODE_ID') ?? false
      t.strictSame(
        Object.keys(data).filter((name) => !Object.hasOwn(settingTable, name)),
        [],
      )
      t.match(readSettings(isNode ? { ...data, NODE_ID: 'payments-0' } : data), { ok: true })
      const mounts = container!.volumeMounts.map(({ mountPath }) => mountPath)
      const named = Object.entries(data).filter(([name]) => name.endsWith('_FILE'))
      t.ok(named.length > 0)
      for (const [name, file] of named)
        t.ok(
          mounts.some((path) => file === path || file.startsWith(`${path}/`)),
          name,
        )
    },
  )
}

t.test('a field that Kubernetes does not know, and a value that it does not take, are found', async (t) => {
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'payments' },
    spec: { maxUnavailable: 1, selector: { matchLabel: { app: 'payments' } } },
  }
  t.match(unknownFields([budget]), [/'"matchLabel"' does not exist/])
  const wrong = { ...budget, spec: { maxUnavailable: true, selector: {} } }
  t.match(await valuesRefused(wrong), /maxUnavailable must be/)
})
