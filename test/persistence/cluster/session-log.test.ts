import t, { type Test } from 'tap'
import { evolveSessions, newSessions } from '../../../engine/people/evolve.ts'
import type { SessionFact } from '../../../engine/people/session.ts'
import { openReplicatedSessions } from '../../../persistence/cluster/session-log.ts'
import { requireSessionStream } from '../../../persistence/cluster/streams.ts'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { startProxy } from '../../nats/proxy.ts'
import { startNatsServers } from '../../nats/servers.ts'
import { keptLog, natsSettings } from '../../nats/settings.ts'

const cluster = 'c'

const start = async (t: Test): Promise<string> => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const connection = await connectNats(natsSettings(servers.url), 'test')
  await requireSessionStream(connection, { cluster, replicas: 1 })
  await connection.close()
  return servers.url
}

/** A node, whose threads take the news only while it is not held back. */
const openNode = async (t: Test, url: string) => {
  const connection = await connectNats(natsSettings(url), 'node')
  t.teardown(() => connection.close())
  const log = await openReplicatedSessions({
    connection,
    cluster,
    realNow: Date.now,
    writtenVersion: () => 13,
    log: keptLog(),
  })
  t.teardown(log.close)
  const sessions = newSessions()
  let held = Promise.resolve()
  let release = (): void => undefined
  const take = (facts: readonly SessionFact[]): void => void facts.reduce(evolveSessions, sessions)
  log
    .follow(async (facts) => {
      await held
      take(facts)
    })
    .forEach(take)
  return {
    log,
    sessions,
    holdBack: () => {
      held = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
  }
}

const issued = (challenge: string): SessionFact => ({
  type: 'ChallengeIssued',
  challenge,
  purpose: 'SIGN_IN',
  personId: null,
  sessionId: null,
  companyId: null,
  environment: null,
  digest: null,
  expiresAtMs: 1,
})

t.test(
  'what records nothing, or is refused, is decided on what other nodes have recorded, too',
  async (t) => {
    const url = await start(t)
    const [a, b] = await Promise.all([openNode(t, url), openNode(t, url)])
    b.holdBack()
    await a.log.append(() => [issued('one')])
    let decisions = 0
    const found: boolean[] = []
    const looked = b.log.append(() => {
      decisions += 1
      found.push(b.sessions.challenges.has('one'))
      if (decisions === 1) b.release()
      return null
    })
    await looked
    t.strictSame(found, [false, true])

    b.holdBack()
    await a.log.append(() => [issued('two')])
    const refused = b.log.append(() => {
      b.release()
      if (!b.sessions.challenges.has('two')) throw new Error('unknown')
      throw new Error('used')
    })
    await t.rejects(refused, { message: 'used' })
    await t.rejects(
      b.log.append(() => {
        throw new Error('still')
      }),
      { message: 'still' },
      'nothing is new',
    )
  },
)

t.test('those who catch up at the same time have what was there when they asked', async (t) => {
  const url = await start(t)
  const [a, b] = await Promise.all([openNode(t, url), openNode(t, url)])
  for (const challenge of ['one', 'two', 'three']) {
    await a.log.append(() => [issued(challenge)])
    await Promise.all([b.log.catchUp(), b.log.catchUp()])
    t.ok(b.sessions.challenges.has(challenge))
  }
})

t.test('what was on its way when a connection broke comes again, though nothing follows it', async (t) => {
  const url = await start(t)
  const proxy = await startProxy(url)
  t.teardown(proxy.stop)
  const [a, b] = await Promise.all([openNode(t, url), openNode(t, proxy.url)])
  proxy.swallowAnswers()
  await a.log.append(() => [issued('one')])
  proxy.cut()
  const isCaughtUp = () =>
    b.log.catchUp().then(
      () => true,
      () => false,
    )
  while (!(await isCaughtUp()));
  t.ok(b.sessions.challenges.has('one'))
})
