import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import t from 'tap'
import { WrongLastSequence } from '../../../persistence/cluster/followed-stream.ts'
import { openLogStream } from '../../../persistence/cluster/log-stream.ts'
import { shardLogStream, shardLogSubject } from '../../../persistence/cluster/names.ts'
import { requireShardStreams } from '../../../persistence/cluster/streams.ts'
import { startNatsServers } from '../../nats/servers.ts'

t.test('a log on three servers', async (t) => {
  const servers = await startNatsServers(3)
  t.teardown(servers.stop)
  const connection = await connect({ servers: [...servers.urls], timeout: 1500, maxReconnectAttempts: -1 })
  t.teardown(() => connection.close())
  await requireShardStreams(connection, { cluster: 'test', replicas: 3 }, 1)
  const names = { stream: shardLogStream('test', 0), subject: shardLogSubject('test', 0) }
  const manager = await jetstreamManager(connection, { timeout: 2000 })
  const open = () => openLogStream(jetstream(connection, { timeout: 2000 }), manager, names, () => undefined)
  const log = open()
  const taken: string[] = []
  let followed = 0
  const following = log.follow(
    () => followed,
    ({ sequence, bytes }) => {
      followed = sequence
      taken.push(`${sequence} ${bytes}`)
    },
  )
  t.teardown(following.stop)
  // As a member of a cluster does: a client that loses the server of its consumer may wait for it without end.
  const followAgain = async (): Promise<void> => {
    for await (const { type } of connection.status()) if (type === 'reconnect') following.restart()
  }
  void followAgain()
  const took = async (count: number): Promise<readonly string[]> => {
    while (taken.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
    return taken
  }
  /** As the owner of a shard does: until it is there. */
  const append = async (text: string, expected: number): Promise<void> => {
    for (;;) {
      try {
        return await log.append(Buffer.from(text), expected)
      } catch (error) {
        if (!(error instanceof WrongLastSequence)) continue
        if ((await log.read(expected + 1).catch(() => null))?.toString() === text) return
        if (error.last !== expected) throw error
      }
    }
  }

  await t.test('a record stands behind the one that was expected, or nowhere', async (t) => {
    await append('one', 0)
    await append('two', 1)
    for (const expected of [0, 1, 5])
      await t.rejects(log.append(Buffer.from('late'), expected), new WrongLastSequence(2))
    const race = await Promise.allSettled(['a', 'b', 'c'].map((text) => open().append(Buffer.from(text), 2)))
    t.equal(race.filter(({ status }) => status === 'fulfilled').length, 1)
    t.equal((await log.read(1))?.toString(), 'one')
    t.equal(await log.read(9), null)
  })

  await t.test('whoever follows gets all in order, and again after the death of a server', async (t) => {
    t.strictSame((await took(2)).slice(0, 2), ['1 one', '2 two'])
    const { leader } = (await manager.streams.info(names.stream)).cluster!
    await servers.kill(Number(leader!.split('-')[1]), 'SIGKILL')
    await append('four', 3)
    await append('five', 4)
    t.strictSame((await took(5)).slice(3), ['4 four', '5 five'])
  })
})
