import t from 'tap'
import type { KeyId } from '../../../engine/shared/ids.ts'
import { openKeyLog } from '../../../gateway/identity/key-log.ts'

const aRequest = (keyId: string | null, requestId: string) => ({
  ...{ keyId, requestId, verb: 'GET', route: '/v1/plans', path: '/v1/plans' },
  ...{ status: 200, code: null, durationMs: 1 },
})

const idsOf = (log: ReturnType<typeof openKeyLog>, keyId: string): readonly string[] =>
  log
    .of(keyId as KeyId)
    .map(({ requestId }) => requestId)
    .sort()

t.test('the newest of each key are kept, and no more', async (t) => {
  const log = openKeyLog(3)
  for (let n = 1; n <= 7; n++) log.note(aRequest('key_a', `req_${n}`))
  log.note(aRequest('key_b', 'req_8'))
  log.note(aRequest(null, 'req_9'))
  t.strictSame(idsOf(log, 'key_a'), ['req_5', 'req_6', 'req_7'])
  t.strictSame(idsOf(log, 'key_b'), ['req_8'])
  t.strictSame(idsOf(log, 'key_c'), [])
})

t.test('a setting of 0 keeps none', async (t) => {
  const log = openKeyLog(0)
  log.note(aRequest('key_a', 'req_1'))
  t.strictSame(idsOf(log, 'key_a'), [])
})
