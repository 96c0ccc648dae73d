import t, { type Test } from 'tap'
import { caller, refusedStart, type Service } from '../e2e/service.ts'
import { patient, requireSound } from './audit.ts'
import { clusterName, leaseMs, startCluster, type TestCluster } from './cluster.ts'
import { betweenFaultsMs, type Load, startLoad } from './load.ts'
import { campaignOf, makeNewerBuild, markedPrefix, newerVersion } from './newer-build.ts'

/**
 * One upgrade of three nodes under one load, with nodes of both builds that are killed, and a way back. The audit in its middle is the older
 * build's: it reads every byte that the newer one has stored before the upgrade was finished.
 */
let cluster: TestCluster
let load: Load
let newer: string

t.before(async () => {
  newer = makeNewerBuild(t)
  cluster = await startCluster(t, { refusesAttempts: false, workers: 1 })
  load = startLoad(cluster, { commandEveryMs: betweenFaultsMs })
})

const serviceOf = (node: string): Service => cluster.nodes.get(node)!.service!

/** Ends a node as an operator does, and starts it with a build on the same data. */
const restart = async (t: Test, node: string, build: 'OLDER' | 'NEWER'): Promise<void> => {
  t.equal(await cluster.nodes.get(node)!.end(), 0)
  await begin(node, build)
}

const begin = async (node: string, build: 'OLDER' | 'NEWER'): Promise<void> => {
  await cluster.start(node, build === 'NEWER' ? { program: newer } : {})
  await cluster.settled()
}

/** Has a node own a shard, and kills it in the middle of the load: the others take over and serve. */
const killOwner = async (t: Test, node: string): Promise<void> => {
  await cluster.move(0, node)
  await load.measure().untilAllAnswer()
  await load.underPressure(cluster.nodes.get(node)!.kill)
  await load.measure().untilAllAnswer()
  t.not(await cluster.ownerOf(0), node)
}

/** Charges at a node, whichever owns the shard; the contract of the older build does not have all that a newer one shows. */
const charge = async (node: string, externalId: string): Promise<{ status: number; body: any }> => {
  const { secret } = cluster.merchants[0]!
  for (;;) {
    const response = await fetch(`${serviceOf(node).origin}/v1/pix/charges`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': externalId,
      },
      body: JSON.stringify({ amount: 1000, externalId }),
    })
    const answer = { status: response.status, body: (await response.json()) as any }
    // A shard whose owner could not renew its lease in time is away for a moment.
    if (answer.body.code !== 'SERVICE_UNAVAILABLE') return answer
  }
}

/** How many charges with this id each node shows. */
const shown = async (externalId: string): Promise<number[]> =>
  Promise.all(
    [...cluster.nodes.values()].map(async ({ service }) => {
      const call = patient(caller(service!.origin, cluster.merchants[0]!.secret))
      const { body } = await call('GET', `/v1/transactions?externalId=${externalId}`)
      return body.data.length
    }),
  )

t.test('a newer node among older ones is killed: they take its shards over', async (t) => {
  await restart(t, 'c', 'NEWER')
  await killOwner(t, 'c')
  await begin('c', 'NEWER')
})

t.test('an older node among newer ones is killed: they take its shards over', async (t) => {
  await restart(t, 'b', 'NEWER')
  await killOwner(t, 'a')
  const view = await serviceOf('b').operate('cluster status', {})
  t.match(view, { writtenVersion: newerVersion - 1, isUpgradeUnfinished: true })
  await begin('a', 'OLDER')
  await t.rejects(
    serviceOf('c').operate('cluster finalize', {}),
    new RegExp(
      `^other nodes read version ${newerVersion}, and these less: a \\(${newerVersion - 1}\\): start`,
    ),
  )
})

t.test('before the upgrade is finished, what only newer builds read is not stored', async (t) => {
  await restart(t, 'a', 'NEWER')
  await cluster.move(0, 'b')
  for (const node of ['b', 'c']) {
    const externalId = `${markedPrefix}early-${node}`
    const { status, body } = await charge(node, externalId)
    t.match({ status, code: body.code }, { status: 503, code: 'UPGRADE_UNFINISHED' })
    t.strictSame(await shown(externalId), [0, 0, 0])
  }
  t.match(await charge('c', 'early'), { status: 201, body: { description: null } })
})

t.test('a node goes back to the older build, and owns what newer ones have stored', async (t) => {
  await restart(t, 'b', 'OLDER')
  await cluster.move(0, 'b')
  await load.measure().untilAllAnswer()
})

t.test('nothing was lost, doubled or stale, and the older build reads all that there is', async (t) => {
  await requireSound(t, cluster, load)
})

t.test('once it is finished, what is new is stored, and older builds are refused', async (t) => {
  await Promise.all(['a', 'b', 'c'].map((node) => cluster.start(node, { program: newer })))
  await cluster.settled()
  const { operate } = serviceOf('a')
  const versions = { before: newerVersion - 1, after: newerVersion }
  t.match(await operate('cluster finalize', { dryRun: true }), { state: 'READY', ...versions })
  t.match(await charge('b', 'unfinished'), { status: 201, body: { description: null } })
  t.match(await operate('cluster finalize', {}), { state: 'FINISHED', ...versions, nodes: ['a', 'b', 'c'] })
  t.match(await serviceOf('c').operate('cluster finalize', {}), { state: 'NOTHING_TO_DO' })
  t.match(await operate('cluster status', {}), { writtenVersion: newerVersion, isUpgradeUnfinished: false })

  await cluster.move(0, 'a')
  const late = await charge('b', 'late')
  t.match(late, { status: 201, body: { description: campaignOf('late') } })
  t.equal((await charge('c', `${markedPrefix}late`)).status, 201)
  // What is stored is read by another owner.
  await cluster.nodes.get('a')!.kill()
  await cluster.move(0, 'c')
  t.strictSame((await charge('b', 'late')).body, late.body)

  const { dataDir } = cluster.nodes.get('a')!
  const keyFile = cluster.keyFile
  const { code, output } = await refusedStart({
    CLUSTER: clusterName,
    NODE_ID: 'a',
    NATS_URL: cluster.servers.url,
    NATS_REPLICAS: '3',
    CLUSTER_LEASE_MS: String(leaseMs),
    MASTER_KEY_FILE: keyFile,
    WORKERS: '1',
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
  })
  t.equal(code, 1)
  t.match(
    output,
    new RegExp(
      `payments: the cluster writes version ${newerVersion}; this program reads up to ${newerVersion - 1}: start a newer version of the service`,
    ),
  )
  t.notMatch(output, /^\s+at /m, 'without a stack')
})
