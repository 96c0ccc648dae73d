import t from 'tap'
import { missingAmong, startCharges } from './backup-world.ts'
import { killAndRestart, problemsIn } from './kill-and-restart.ts'
import { caller, newDataDir, newMerchant, oneWorker, startService } from './service.ts'

const small = { ...oneWorker, SHARDS: '1', HOT_STATES: '1' }
const packAll = ['archive', 'run', '--older-than-days', '0'] as const

t.test('kill -9 in the middle of packing under load loses nothing and doubles nothing', async (t) => {
  const dataDir = newDataDir(t)
  let service = await startService(t, { dataDir, env: small })
  const { key } = await newMerchant(service)
  for (let round = 0; round < 2; round++) {
    const call = caller(service.origin, key.secret)
    const charges = startCharges(call, 8)
    await charges.reach(150)
    const packing = service.command(...packAll).catch(() => null)
    await charges.reach(220 + 30 * round)
    const killed = killAndRestart(t, service, small, `kill ${round + 1}`)
    await charges.stop().catch(() => undefined)
    service = await killed
    await packing
    t.strictSame(await missingAmong(caller(service.origin, key.secret), charges.acknowledged), [])
  }
  await service.command(...packAll)
  t.match(await service.operate('archive status', {}), { shards: [{ trouble: null }] })
  t.equal(await service.kill('SIGTERM'), 0)
  t.strictSame(await problemsIn(dataDir), [])
})
