import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { operationsOn, taking } from '../../../gateway/operations/input.ts'
import { openAdminListener } from '../../../gateway/operator/listener.ts'
import { absent, refuse, refuseInvalid } from '../../../gateway/problems/refusal.ts'

type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }

const start = async (t: Test) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'admin-'))
  const faults: unknown[] = []
  const inputs: object[] = []
  const listener = await openAdminListener({
    port: 0,
    dataDir,
    token: 'token',
    metricsToken: () => 'metrics-token',
    operations: {
      'things list': async (input) => {
        inputs.push(input)
        return { object: 'list', data: [] }
      },
      ...operationsOn(null, { 'things take': taking(['id'], async () => ({})) }),
      'things refuse': async () => refuse('it is not so'),
      'things misread': async () => refuseInvalid('id must be a text'),
      'things miss': async () => absent('there is no thing'),
      'things wait': async () => {
        throw new ShardUnavailable('the shard is recovering')
      },
      'things fail': async () => {
        throw new Error('with a stack')
      },
    },
    longOperations: {},
    metrics: async () => 'metric 1\n',
    onFault: (error) => faults.push(error),
  })
  t.teardown(async () => {
    await listener.close()
    rmSync(dataDir, { recursive: true })
  })
  const { port } = listener
  const ask = (
    path: string,
    { method = 'POST', body = '{}' as string | null, headers = {} as Record<string, string> } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { port, host: '127.0.0.1', path, method, headers: { Authorization: 'Bearer token', ...headers } },
        (response) => {
          let text = ''
          response.on('data', (chunk) => (text += chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode!, headers: response.headers, body: text }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body ?? undefined)
    })
  return { port, dataDir, ask, faults, inputs }
}

const isProblem = (t: Test, answer: Answer, status: number, code: string): void => {
  t.equal(answer.status, status, code)
  t.equal(answer.headers['content-type'], 'application/problem+json')
  t.match(JSON.parse(answer.body), { type: 'about:blank', title: /^\w/, status, code, detail: /\w/ })
  t.notMatch(answer.body, /\bat .*\.js|node_modules|with a stack/)
}

t.test('an operation is asked with a JSON object, and none stands for an empty one', async (t) => {
  const { ask, inputs, dataDir, port } = await start(t)
  t.match(await ask('/things/list', { body: '{"id":"x"}' }), {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: '{"object":"list","data":[]}',
  })
  await ask('/things/list', { body: null })
  t.strictSame(inputs, [{ id: 'x' }, {}])
  t.match(await ask('/metrics', { method: 'GET', body: null }), { status: 200, body: 'metric 1\n' })
  t.match(JSON.parse(readFileSync(join(dataDir, 'admin.json'), 'utf8')), { port, token: 'token' })
})

t.test('what cannot be read is 400, of whatever kind', async (t) => {
  const { ask, inputs, faults } = await start(t)
  for (const body of ['{', '[]', '"x"', 'null', '5', '{"a":}', '\u0000', '{}{}'])
    isProblem(t, await ask('/things/list', { body }), 400, 'INVALID_JSON')
  isProblem(t, await ask('/things/take', { body: '{"name":"x"}' }), 400, 'VALIDATION_ERROR')
  t.strictSame([inputs, faults], [[], []])
})

t.test('only this host by its own names: a page that a name was made to lead here is refused', async (t) => {
  const { ask, inputs, port } = await start(t)
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1:${port + 1}`,
    '127.0.0.1.evil.example',
    '[::1]',
  ])
    isProblem(t, await ask('/things/list', { headers: { Host: host } }), 403, 'WRONG_HOST')
  isProblem(
    t,
    await ask('/metrics', { method: 'GET', body: null, headers: { Host: 'evil.example' } }),
    403,
    'WRONG_HOST',
  )
  t.equal(inputs.length, 0)
  for (const host of ['127.0.0.1', `127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`])
    t.equal((await ask('/things/list', { headers: { Host: host } })).status, 200, host)
})

t.test('nobody is let in without the token', async (t) => {
  const { ask, inputs } = await start(t)
  for (const authorization of [
    '',
    'Bearer',
    'Bearer tokem',
    'Bearer token2',
    'Basic dG9rZW4=',
    'bearer token',
  ])
    for (const path of ['/things/list', '/metrics', '/nothing']) {
      const answer = await ask(path, { headers: { Authorization: authorization } })
      isProblem(t, answer, 401, 'UNAUTHORIZED')
      t.equal(answer.headers['www-authenticate'], 'Bearer')
    }
  t.equal(inputs.length, 0)
})

t.test('what is not there is 404, and another verb 405', async (t) => {
  const { ask } = await start(t)
  for (const path of [
    '/',
    '/things',
    '/things/none',
    '/%zz',
    '/things/list/',
    '/constructor',
    '/__proto__',
    '/a?b',
    '/things%20list',
  ])
    isProblem(t, await ask(path), 404, 'OPERATION_NOT_FOUND')
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await ask('/things/list', { method, body: null })
    isProblem(t, answer, 405, 'METHOD_NOT_ALLOWED')
    t.equal(answer.headers.allow, 'POST')
  }
  isProblem(t, await ask('/metrics'), 405, 'METHOD_NOT_ALLOWED')
})

t.test('a refusal says why, an outage that it is one, and a fault nothing that is ours', async (t) => {
  const { ask, faults } = await start(t)
  isProblem(t, await ask('/things/refuse'), 409, 'INVALID_STATE')
  t.equal(JSON.parse((await ask('/things/refuse')).body).detail, 'it is not so')
  isProblem(t, await ask('/things/misread'), 400, 'VALIDATION_ERROR')
  isProblem(t, await ask('/things/miss'), 404, 'NOT_FOUND')
  isProblem(t, await ask('/things/wait'), 503, 'SERVICE_UNAVAILABLE')
  t.strictSame(faults, [])
  isProblem(t, await ask('/things/fail'), 500, 'INTERNAL_ERROR')
  t.match(faults, [/with a stack/])
})

t.test('a body that is too long is refused and not kept', async (t) => {
  const { ask, inputs } = await start(t)
  const longest = JSON.stringify({ id: 'x'.repeat(64 * 1024 - 9) })
  t.equal(longest.length, 64 * 1024)
  t.equal((await ask('/things/list', { body: longest })).status, 200)
  isProblem(t, await ask('/things/list', { body: `${longest} ` }), 413, 'PAYLOAD_TOO_LARGE')
  isProblem(t, await ask('/things/list', { body: 'x'.repeat(3_000_000) }), 413, 'PAYLOAD_TOO_LARGE')
  t.equal(inputs.length, 1)
})

t.test('whoever goes in the middle of a request is no fault of ours', async (t) => {
  const { port, ask, faults } = await start(t)
  const socket = connect(port, '127.0.0.1')
  await new Promise<void>((resolve) =>
    socket.write(
      `POST /things/list HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer token\r\nContent-Length: 9\r\n\r\n{`,
      () => resolve(),
    ),
  )
  // It has been read when a request behind it is answered.
  await ask('/things/list')
  socket.destroy()
  await ask('/things/list')
  t.strictSame(faults, [])
})

t.test('the token for metrics reads them, and does nothing else', async (t) => {
  const { ask } = await start(t)
  const headers = { Authorization: 'Bearer metrics-token' }
  t.match(await ask('/metrics', { method: 'GET', body: null, headers }), { status: 200, body: 'metric 1\n' })
  isProblem(t, await ask('/things/list', { headers }), 403, 'NO_PERMISSION')
})
