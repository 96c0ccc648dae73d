import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import t from 'tap'
import { delay } from '../../../persistence/base/delay.ts'
import { openLogStream } from '../../../persistence/cluster/log-stream.ts'
import { shardLogStream, shardLogSubject } from '../../../persistence/cluster/names.ts'
import { requireShardStreams } from '../../../persistence/cluster/streams.ts'
import { startNatsServers } from '../../nats/servers.ts'
import { newClock } from './clock.ts'
import { newLink } from './link.ts'
import { newRandom } from './random.ts'
import { newScheduler } from './scheduler.ts'
import { newStreamModel } from './stream-model.ts'
import { type StreamBench, streamPromises } from './stream-promises.ts'

const modelBench = (seed: number) => {
  const random = newRandom(seed)
  const scheduler = newScheduler(random)
  const clock = newClock(scheduler.nowMs, 0, 1)
  const faults = { isMute: false, isDeaf: false, lateMs: 0 }
  const link = newLink(scheduler, random, clock, { run: (_, work) => work() }, faults)
  const model = newStreamModel(scheduler, random, {
    committed: () => undefined,
    skipped: () => undefined,
    say: () => undefined,
  })
  let kept = { end: 0, begin: 1 }
  const bench: StreamBench = {
    stream: model.clientOn('client', link),
    pause: link.pause,
    standStill: async (ms) => model.loseLeader(ms, 0),
    keepDisks: async () => {
      kept = { end: model.records.length, begin: model.begin() }
    },
    losePower: async () => {
      model.losePower(model.records.length - kept.end, 500, kept.begin)
      await link.pause(600)
    },
  }
  return { bench, drive: scheduler.drive }
}

t.test('the model of a stream', async (t) => {
  for (const { title, check } of streamPromises)
    await t.test(title, async (t) => {
      for (let seed = 1; seed <= 20; seed++) {
        const { bench, drive } = modelBench(seed)
        await drive(check(t, bench))
      }
    })
})

t.test('a stream of a server', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const connection = await connect({
    servers: [...servers.urls],
    timeout: 1500,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  })
  t.teardown(() => connection.close())
  await requireShardStreams(connection, { cluster: 'test', replicas: 1 }, streamPromises.length)
  const manager = await jetstreamManager(connection, { timeout: 2000 })
  const benchOf = (shard: number): StreamBench => {
    const names = { stream: shardLogStream('test', shard), subject: shardLogSubject('test', shard) }
    return {
      stream: openLogStream(jetstream(connection, { timeout: 2000 }), manager, names, () => undefined),
      pause: delay,
      standStill: async (ms) => {
        await servers.kill(0, 'SIGSTOP')
        setTimeout(() => servers.kill(0, 'SIGCONT'), ms)
      },
      keepDisks: servers.keepDisks,
      losePower: async () => {
        await servers.losePower()
        // A client notices the lost server on its own time.
        while (
          !(await connection.flush().then(
            () => true,
            () => false,
          ))
        )
          await delay(50)
      },
    }
  }
  for (const [shard, { title, check }] of streamPromises.entries())
    await t.test(title, (t) => check(t, benchOf(shard)))
})
