import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { hasRecords } from '../../persistence/cluster/shard-copy.ts'
import { openStoredDirectory } from '../../persistence/home/data-directory.ts'
import { shardPathIn } from '../../persistence/home/parts.ts'
import { type StoredReport, verifyStoredDirectory } from '../../persistence/verify/verify.ts'
import { everyRow, grouped } from '../e2e/rows.ts'
import { type Call, caller, type Service } from '../e2e/service.ts'
import type { Merchant, TestCluster, TestNode } from './cluster.ts'
import { createBody, type Load, type Order, refundBody } from './load.ts'
import { eventKey } from './receiver.ts'
import { logProblems } from './stored-logs.ts'

export type Findings = {
  /** Acknowledged and not there. */
  readonly lost: readonly string[]
  /** There more than once. */
  readonly doubled: readonly string[]
  readonly stale: readonly string[]
  /** Everything else that is not as it should be. */
  readonly problems: readonly string[]
}

/** Stops the load, and requires that nothing was lost, doubled or stale, and that all nodes are equal. */
export const requireSound = async (t: Test, cluster: TestCluster, load: Load): Promise<void> => {
  await load.stop()
  const { lost, doubled, stale, problems } = await audit(cluster, load)
  t.strictSame(lost, [], `of ${load.acknowledged()} acknowledged commands`)
  t.strictSame(doubled, [])
  t.strictSame(stale, [])
  t.strictSame(problems, [])
}

/**
 * Looks, when the load has stopped, at everything that was acknowledged: through every node, by its key, at the receiver,
 * and on the disks of the nodes, which it ends for that.
 */
export const audit = async (cluster: TestCluster, load: Load): Promise<Findings> => {
  const lost: string[] = []
  const doubled: string[] = []
  const problems: string[] = []
  await cluster.settled()
  await Promise.all(
    cluster.merchants.map(async (merchant) => {
      const own = load.orders.filter((order) => order.merchant === merchant)
      const rows = await rowsEverywhere(cluster, merchant, problems)
      judge(own, rows, lost, doubled)
      problems.push(...(await untold(cluster, merchant, rows)))
    }),
  )
  problems.push(...(await replayProblems(cluster, load.orders)))
  for (const { name, service } of cluster.nodes.values()) {
    if (service === null) continue
    const owns = await Promise.race([cluster.move(0, name).then(() => true), pause(ownsAfterMs)])
    if (owns !== true) problems.push(`node ${name} does not own a shard any more`)
  }
  await quiet(cluster)
  problems.push(...(await endAll(cluster)))
  if (load.slowestMs() > answerMsMax) problems.push(`an answer took ${load.slowestMs()} ms`)
  return { lost, doubled, stale: load.stale, problems: [...load.wrong, ...problems] }
}

/** What one node shows, when all of them show the same. */
const rowsEverywhere = async (
  { nodes }: TestCluster,
  { shard, secret }: Merchant,
  problems: string[],
): Promise<any[]> => {
  let first: any[] | null = null
  for (const { name, service } of nodes.values()) {
    if (service === null) continue
    const rows = await everyRow(patient(caller(service.origin, secret)), '/v1/transactions')
    first ??= rows
    if (!isDeepStrictEqual(rows, first)) problems.push(`node ${name} shows other payments of shard ${shard}`)
  }
  return first!
}

/** A shard whose owner could not renew its lease in time, as on a busy machine, is away for a moment: 503 says to ask again. */
export const patient =
  (call: Call): Call =>
  async (...request) => {
    let answer = await call(...request)
    while (answer.status === 503) {
      await pause(100)
      answer = await call(...request)
    }
    return answer
  }

const judge = (orders: readonly Order[], rows: readonly any[], lost: string[], doubled: string[]): void => {
  const byKey = grouped(rows, 'externalId')
  for (const { key, id, answers, isPaid, refunds } of orders) {
    const found = byKey.get(key) ?? []
    if (found.length > 1 || answers.size > 1 || refunds.size > 1)
      doubled.push(`${key}: ${found.length} payments`)
    const [row] = found
    if (row === undefined || row.id !== id) {
      if (id !== null) lost.push(`${key}: ${id} was acknowledged`)
      continue
    }
    if (isPaid && row.paidAmount !== '1000') lost.push(`${key}: a payment was acknowledged`)
    const refunded = Number(row.refundedAmount)
    if (refunds.size > 0 && refunded < refundBody.amount) lost.push(`${key}: a refund was acknowledged`)
    if (refunded > refundBody.amount) doubled.push(`${key}: ${refunded} were refunded`)
  }
}

/** Every event of every payment reaches the merchant; resolves when nothing more comes. */
const untold = async (
  { receiver, nodes }: TestCluster,
  { shard, secret }: Merchant,
  rows: readonly any[],
): Promise<string[]> => {
  const wanted = rows.flatMap(({ id, paidAmount, refundedAmount }) => [
    eventKey('payment.created', id),
    eventKey('payment.pending', id),
    ...(paidAmount === '0' ? [] : [eventKey('payment.approved', id)]),
    ...(refundedAmount === '0' ? [] : [eventKey('payment.refunded', id)]),
  ])
  for (let heard = -1, quietSince = performance.now(); ; ) {
    const missing = wanted.filter((key) => !receiver.events.has(key))
    if (missing.length === 0) return []
    if (receiver.tries.size > heard) {
      heard = receiver.tries.size
      quietSince = performance.now()
    }
    // A first attempt that was refused is repeated after 30 s.
    if (performance.now() - quietSince > untoldAfterMs) {
      const up = [...nodes.values()].find(({ service }) => service !== null)!.service!
      const some = missing.slice(0, 3)
      const known = await Promise.all(some.map((key) => deliveriesOf(up, secret, key)))
      return [`${missing.length} events of shard ${shard} were never heard: ${some.join()}; ${known.join()}`]
    }
    await pause(50)
  }
}

/** What the service knows of the deliveries of an event. */
const deliveriesOf = async ({ origin }: Service, secret: string, key: string): Promise<string> => {
  const [type, objectId] = key.split(' ')
  const path = `/v1/webhooks/deliveries?objectId=${objectId}&type=${type}`
  return JSON.stringify((await patient(caller(origin, secret))('GET', path)).body.data)
}

/** The service's own bound is 30 s. */
const answerMsMax = 32_000
/** Until nothing is written any more: an attempt is recorded after it was heard. */
const quiet = async ({ nodes }: TestCluster): Promise<void> => {
  const up = [...nodes.values()].flatMap(({ service }) => (service === null ? [] : [service]))
  const entries = async (): Promise<string> => (await Promise.all(up.map(entriesOf))).join()
  for (let before = ''; ; await pause(quietMs)) {
    const now = await entries()
    if (now === before) return
    before = now
  }
}

const entriesOf = async ({ dataDir }: Service): Promise<string> => {
  const { port, token } = JSON.parse(readFileSync(join(dataDir, 'admin.json'), 'utf8'))
  const headers = { Authorization: `Bearer ${token}` }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
  return /^payments_journal_entries_total (\d+)/m.exec(metrics)![1]!
}

const quietMs = 1000
/** It may have to fetch a copy first. */
const ownsAfterMs = 40_000
const untoldAfterMs = 40_000
const replaysMax = 200

/** Asks again with keys that were acknowledged: the answer is the one of then. */
const replayProblems = async (cluster: TestCluster, orders: readonly Order[]): Promise<string[]> => {
  const up = [...cluster.nodes.values()].flatMap(({ service }) => (service === null ? [] : [service]))
  const some = orders.filter((_, n) => n % Math.ceil(orders.length / replaysMax) === 0)
  const problems: string[] = []
  const again = async (
    order: Order,
    n: number,
    path: string,
    body: object,
    key: string,
    first: Set<string>,
  ) => {
    const call = patient(caller(up[n % up.length]!.origin, order.merchant.secret))
    const { status, body: answer, headers } = await call('POST', path, body, { 'Idempotency-Key': key })
    const isSame = [...first].every((text) => isDeepStrictEqual(JSON.parse(text), answer))
    if (!isSame || !headers.has('idempotent-replayed'))
      problems.push(`${key} again: ${status} ${JSON.stringify(answer)}, before ${[...first]}`)
  }
  for (const [n, order] of some.entries()) {
    const { key, answers, refunds, id } = order
    if (answers.size > 0) await again(order, n, '/v1/pix/charges', createBody(key), key, answers)
    if (refunds.size > 0)
      await again(order, n, `/v1/transactions/${id}/refund`, refundBody, `${key}-refund`, refunds)
  }
  return problems
}

/** Ends the nodes, and looks at their disks and at what they have logged. */
const endAll = async (cluster: TestCluster): Promise<string[]> => {
  const nodes = [...cluster.nodes.values()]
  const running = nodes.filter(({ service }) => service !== null)
  const problems = running
    .filter(({ service }) => service!.process.exitCode !== null || service!.process.signalCode !== null)
    .map(({ name }) => `node ${name} ended by itself`)
  await Promise.all(
    running.map(async (node) => {
      const code = await node.end()
      if (code !== 0) problems.push(`node ${node.name} ended with ${code}`)
    }),
  )
  const reports: { readonly name: string; readonly report: StoredReport }[] = []
  for (const { name, dataDir } of running) {
    const report = await verified(dataDir)
    reports.push({ name, report })
    problems.push(...report.problems.map(({ text }) => `node ${name}: ${text}`))
  }
  const shards = cluster.merchants.map(({ shard }) => ({
    shard,
    holders: running.filter(({ dataDir }) => hasRecords(shardPathIn(dataDir)(shard))),
  }))
  for (const { shard, holders } of shards) {
    const digests = reports
      .filter(({ name }) => holders.some((holder) => holder.name === name))
      .map(({ report }) => report.digests[shard])
    if (new Set(digests).size > 1) problems.push(`the nodes’ states of shard ${shard} differ`)
    if (holders.length < Math.min(cluster.copies, running.length))
      problems.push(`shard ${shard} is on ${holders.length} nodes only`)
  }
  return [
    ...problems,
    ...shards.flatMap(({ shard, holders }) => logProblems(holders, shard, cluster.receiver)),
    ...nodes.flatMap(complaints),
  ]
}

/** What `payments verify` finds, which is this and a process. */
const verified = async (dataDir: string): Promise<StoredReport> => {
  const data = await openStoredDirectory(dataDir, 'LOOK')
  const report = await verifyStoredDirectory(data, join(dataDir, 'master.key'))
  await data.release()
  return report
}

/** Lines that no fault explains. */
const complaints = ({ name, lives }: TestNode): string[] =>
  lives.flatMap((service) =>
    service
      .log()
      .split('\n')
      .filter((line) =>
        /"level":60|a request failed|Unhandled|unhandled|another process runs|its replica stops/.test(line),
      )
      .map((line) => `node ${name} says ${line.slice(0, 400)}`),
  )

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())
