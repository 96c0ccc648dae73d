import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { portsFrom } from '../../gateway/local-cluster/ports.ts'
import { expressionsOf, readDashboard } from '../observability/dashboard.ts'
import { documentedMetrics, readObservability } from '../observability/documented.ts'
import { prometheusPrograms, runPromtool } from '../observability/prometheus.ts'
import {
  metricsPage,
  newDataDir,
  newMerchant,
  posted,
  startReceiver,
  startService,
  until,
} from './service.ts'

const card = { token: 'tok_test_declined_51', brand: 'VISA', last4: '4242' }

/** A Prometheus with the documented configuration, in a folder that has what `/etc/prometheus` would have. */
const startPrometheus = async (t: Test, target: string, token: string) => {
  const folder = newDataDir(t)
  const tokenFile = join(folder, 'payments.token')
  writeFileSync(tokenFile, token, { mode: 0o600 })
  writeFileSync(join(folder, 'rules.yml'), readObservability('rules.yml'))
  const config = readObservability('prometheus.yml')
    .replace('/etc/prometheus/payments.token', tokenFile)
    .replace('127.0.0.1:9464', target)
    .replaceAll(/_interval: 15s/g, '_interval: 1s')
  writeFileSync(join(folder, 'prometheus.yml'), config)
  mkdirSync(join(folder, 'data'))
  const [port] = await portsFrom(0, 1)
  const child = spawn(
    prometheusPrograms().prometheus,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  t.teardown(() => {
    child.kill('SIGKILL')
    return exited
  })
  const get = async (path: string): Promise<any> =>
    (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as any
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`prometheus ended:\n${log}`)
    return get('status/config').then(
      ({ status }) => status === 'success',
      () => false,
    )
  })
  return {
    log: () => log,
    get,
    /** The values of an expression now; throws with what Prometheus finds wrong with it. */
    query: async (expr: string): Promise<readonly number[]> => {
      const { status, error, data } = await get(`query?query=${encodeURIComponent(expr)}`)
      if (status !== 'success') throw new Error(`${expr}: ${error}`)
      return data.result.map(({ value }: { value: [number, string] }) => Number(value[1]))
    },
  }
}

t.test('a real Prometheus scrapes the service with the documented configuration', async (t) => {
  const dataDir = newDataDir(t)
  const token = randomBytes(32).toString('base64')
  const tokenFile = join(dataDir, 'metrics.token')
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 })
  const [adminPort] = await portsFrom(0, 1)
  const env = { ADMIN_PORT: String(adminPort), METRICS_TOKEN_FILE: tokenFile }
  const service = await startService(t, { dataDir, env })
  t.equal(JSON.parse(readFileSync(join(dataDir, 'admin.json'), 'utf8')).port, adminPort)
  const prometheus = await startPrometheus(t, `127.0.0.1:${adminPort}`, token)

  const scopes = 'charges.create,charges.read,refunds.create'
  const { company, call } = await newMerchant(service, { scopes })
  const receiver = await startReceiver(t)
  const target = { company: company.id, environment: 'sandbox', url: receiver.url }
  await service.operate('webhooks create', target)
  /** Money of each kind, so that every counter of the business counts. */
  const trade = async (): Promise<void> => {
    const { id } = await posted(call, '/v1/pix/charges', { amount: 1990 })
    await posted(call, `/v1/sandbox/pix/charges/${id}/pay`, {})
    await posted(call, `/v1/transactions/${id}/refund`, { amount: 990 })
    await posted(call, '/v1/card-payments', { amount: 5000, card })
    const approved = { ...card, token: 'tok_test_approved' }
    const payment = await posted(call, '/v1/card-payments', { amount: 5000, card: approved })
    await posted(call, `/v1/sandbox/card-payments/${payment.id}/chargeback`, {})
    await call('GET', '/v1/nowhere')
  }
  await trade()
  await until(async () => (await prometheus.query('up{job="payments"}'))[0] === 1)

  t.match(
    runPromtool(['check', 'metrics'], await metricsPage(dataDir)),
    /^$/,
    'promtool finds nothing to say',
  )

  const charges = 'sum(payments_charges_total{environment="SANDBOX", method="PIX", status="APPROVED"})'
  await until(async () => (await prometheus.query(charges))[0] === 1)
  const names = new Set((await prometheus.get('label/__name__/values')).data as string[])
  const isThere = (name: string): boolean => names.has(name) || names.has(`${name}_count`)
  const ofClusters = /^payments_(shard|cluster|event_(stream|consumer))_/
  const unseen = [
    'payments_timers_parked_total',
    'payments_provider_alerts_total',
    'payments_provider_notices_total',
    'payments_provider_hooks_total',
    // There is no connection.
    /^payments_provider_(connection|certificate)_/,
    'payments_http_refused_total',
    'payments_http_cut_total',
    'payments_payer_mails_total',
    /^payments_subscription_/,
    /^payments_checkout_(sessions|declines|blocked)_total/,
  ]
  t.strictSame(
    documentedMetrics().filter(
      (name) =>
        !isThere(name) &&
        !ofClusters.test(name) &&
        !unseen.some((one) => (typeof one === 'string' ? one === name : one.test(name))),
    ),
    [],
    'it has what the documentation lists, but for what did not happen',
  )

  const rules = (await prometheus.get('rules')).data.groups.flatMap(({ rules }: any) => rules)
  t.equal(rules.length, readObservability('rules.yml').split('- alert: ').length - 1)
  await until(async () => {
    const all = (await prometheus.get('rules')).data.groups.flatMap(({ rules }: any) => rules)
    return all.every(({ health }: any) => health !== 'unknown')
  })
  const evaluated = (await prometheus.get('rules')).data.groups.flatMap(({ rules }: any) => rules)
  t.strictSame(
    evaluated
      .filter(({ health }: any) => health !== 'ok')
      .map(({ name, lastError }: any) => `${name}: ${lastError}`),
    [],
    'every rule can be evaluated',
  )
  t.strictSame(
    evaluated.filter(({ state }: any) => state === 'firing').map(({ name }: any) => name),
    [],
    'and a service that is well alerts nobody',
  )

  // Rates need two scrapes with something between them.
  const isEmpty = async ({ expr }: { expr: string }) => (await prometheus.query(expr)).length === 0
  const shown = expressionsOf(readDashboard(), 'SANDBOX')
  const ofThisService = shown.filter(
    ({ expr }) => !/payments_(shard|cluster|event_consumer|subscription|http_refused)/.test(expr),
  )
  t.ok(ofThisService.length > 30)
  await until(async () => {
    await trade()
    for (const one of ofThisService) if (await isEmpty(one)) return false
    return true
  })
  for (const one of shown) await t.resolves(prometheus.query(one.expr), one.title)

  await service.kill('SIGKILL')
  await until(async () => (await prometheus.query('ALERTS{alertname="PaymentsDown"}')).length === 1)
  t.equal(prometheus.log(), '', 'Prometheus has nothing to complain about')
})
