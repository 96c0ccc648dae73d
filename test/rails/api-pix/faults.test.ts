import t from 'tap'
import { aCob, bankFor, txidOf } from './bank-for-test.ts'

const path = `/cob/${txidOf(1)}`

t.test('an answer is cut before or after the effect, or within', async (t) => {
  const bank = await bankFor(t)
  const exists = () => bank.bank.charges.find(txidOf(1)) !== undefined
  await bank.ask('GET', path)
  await bank.hold('POST /faults', { verb: 'PUT', does: { kind: 'cut', when: 'before' } })
  t.match(await bank.ask('PUT', path, aCob()), { status: null, error: 'ECONNRESET' })
  t.notOk(exists())
  await bank.hold('POST /faults', { verb: 'PUT', does: { kind: 'cut', when: 'after' } })
  t.match(await bank.ask('PUT', path, aCob()), { status: null, error: 'ECONNRESET' })
  t.ok(exists())
  await bank.hold('POST /faults', { verb: 'GET', does: { kind: 'cut', when: 'within' } })
  t.match(await bank.ask('GET', path), { status: null, error: /ECONNRESET|aborted/ })
  t.equal((await bank.ask('GET', path)).status, 200, 'each happened once')
  t.equal((await bank.hold('GET /state')).faultsHappened, 3)
})

t.test('an answer never comes, or comes when the clock has moved on', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('GET', path)
  for (const when of ['before', 'after'] as const) {
    await bank.hold('POST /faults', { verb: 'PUT', does: { kind: 'silence', when } })
    let isAnswered = false
    const asked = bank.ask('PUT', path, aCob()).then((reply) => {
      isAnswered = true
      return reply
    })
    const put = () => bank.server.requests().filter(({ verb }) => verb === 'PUT').length
    while (put() < (when === 'before' ? 1 : 2)) await new Promise(setImmediate)
    if (when === 'after')
      while (bank.bank.charges.find(txidOf(1)) === undefined) await new Promise(setImmediate)
    else t.equal(bank.bank.charges.find(txidOf(1)), undefined)
    t.notOk(isAnswered)
    asked.catch(() => undefined)
  }
  await bank.hold('POST /faults', { verb: 'GET', does: { kind: 'delay', ms: 20_000 } })
  const late = bank.ask('GET', path)
  while (bank.clock.due().length === 0) await new Promise(setImmediate)
  await bank.hold('POST /clock/advance', { ms: 20_000 })
  t.equal((await late).status, 200)
})

t.test('a bank that takes connections and says nothing, or cuts them', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('GET', path)
  await bank.hold('POST /faults/connections', { are: 'refused' })
  t.match(await bank.ask('GET', path), { status: null, error: 'ECONNRESET' })
  await bank.hold('POST /faults/connections', { are: 'silent' })
  const before = bank.server.requests().length
  const asked = bank.ask('GET', path)
  await bank.hold('GET /state')
  t.equal(bank.server.requests().length, before)
  await bank.hold('DELETE /faults')
  t.equal((await bank.ask('GET', path)).status, 404)
  asked.catch(() => undefined)
})

t.test('errors come with their names, violations and Retry-After', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('GET', path)
  const get = async (does: object) => {
    await bank.hold('POST /faults', { does })
    return bank.ask('GET', path)
  }
  t.match(await get({ kind: 'error', status: 429, retryAfterSeconds: 30 }), {
    status: 429,
    headers: { 'retry-after': '30' },
  })
  t.match(await get({ kind: 'error', status: 410 }), {
    status: 410,
    body: { type: /PermanentementeRemovido$/ },
  })
  t.match(await get({ kind: 'error', status: 403 }), { status: 403, body: { type: /AcessoNegado$/ } })
  t.match(await get({ kind: 'error', status: 503, retryAfterSeconds: 5 }), {
    body: { type: /ServicoIndisponivel$/ },
  })
  t.match(await get({ kind: 'error', status: 504 }), { body: { type: /IndisponibilidadePorTempoEsgotado$/ } })
  t.match(
    await get({
      kind: 'error',
      status: 400,
      name: 'CobOperacaoInvalida',
      violacoes: [{ razao: 'r', propriedade: 'p' }],
    }),
    { status: 400, body: { violacoes: [{ razao: 'r' }] } },
  )
  t.match(await get({ kind: 'text', status: 502, body: '<html>Bad Gateway</html>' }), {
    status: 502,
    body: /html/,
  })
  t.match(await get({ kind: 'text', status: 200, body: '{"txid":', media: 'text/plain' }), {
    status: 200,
    body: '{"txid":',
  })
  t.match(await get({ kind: 'redirect', location: 'https://elsewhere.example/' }), { status: 302 })
})

t.test('an error can hide that the work was done', async (t) => {
  const bank = await bankFor(t)
  await bank.hold('POST /faults', { verb: 'PUT', does: { kind: 'error', status: 500, when: 'after' } })
  t.equal((await bank.ask('PUT', path, aCob())).status, 500)
  t.equal((await bank.ask('GET', path)).status, 200)
})

t.test('an answer has another amount, while the bank has the right one', async (t) => {
  const bank = await bankFor(t)
  await bank.hold('POST /faults', {
    verb: 'PUT',
    does: { kind: 'change', set: { 'valor.original': '99.99', location: null } },
  })
  t.match(await bank.ask('PUT', path, aCob()), { status: 201, body: { valor: { original: '99.99' } } })
  t.equal((await bank.ask('GET', path)).body.valor.original, '12.34')
})

t.test('a fault happens to the requests that it is about, so often and after so many', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('GET', path)
  const does = { kind: 'error', status: 500 }
  await bank.hold('POST /faults', { verb: 'GET', path: `${txidOf(1)}$`, skip: 1, times: 2, does })
  const statuses = []
  for (let count = 0; count < 4; count++) statuses.push((await bank.ask('GET', path)).status)
  t.strictSame(statuses, [404, 500, 500, 404])
  t.equal((await bank.ask('GET', `/cob/${txidOf(2)}`)).status, 404)
  await bank.hold('POST /faults', { times: null, does })
  for (let count = 0; count < 5; count++) t.equal((await bank.ask('GET', path)).status, 500)
  await bank.hold('DELETE /faults')
  t.equal((await bank.ask('GET', path)).status, 404)
})

t.test('tokens end, by their time and by the bank', async (t) => {
  const bank = await bankFor(t)
  const authorization = `Bearer ${await bank.currentToken()}`
  const get = () => bank.askAt('GET', `/api/v2${path}`, { headers: { authorization } })
  await bank.clock.advance(3_599_999)
  t.equal((await get()).status, 404)
  await bank.clock.advance(1)
  t.match(await get(), { status: 401, body: { type: /NaoAutorizado$/ } })
  t.equal((await bank.ask('GET', path)).status, 404, 'another token')
  await bank.hold('POST /tokens/revoke')
  t.equal((await bank.ask('GET', path)).status, 401)
  t.equal((await bank.askAt('GET', '/api/v2/pix', { headers: { authorization: 'Bearer x' } })).status, 401)
})

t.test('a client needs a certificate of the bank that has not expired on its day', async (t) => {
  // TLS itself reads the machine's clock, so the day must lie ahead of any on which this runs.
  const bank = await bankFor(t, { startMs: Date.UTC(2048, 10, 25) })
  const noonMs = Date.UTC(2048, 10, 26, 15)
  const short = bank.clientAuthority.issue({ commonName: 'short', notAfterMs: noonMs })
  const foreign = bank.authority.issue({ commonName: 'foreign' })
  const get = (identity: typeof short | null) => bank.askAt('GET', `/api/v2${path}`, { identity })
  t.equal((await get(short)).status, 404)
  t.match(await get(null), { status: null, error: /ALERT|ECONNRESET|SSL/ })
  t.match(await get(foreign), { status: null, error: /ALERT|ECONNRESET|SSL/ })
  await bank.clock.advance(noonMs - bank.clock.nowMs())
  t.match(await get(short), { status: null, error: /ECONNRESET/ })
})

t.test('a token is of its scopes', async (t) => {
  const bank = await bankFor(t, { scopes: ['cob.read'] })
  t.match(await bank.ask('PUT', path, aCob()), { status: 403, body: { type: /AcessoNegado$/ } })
  t.equal((await bank.ask('GET', path)).status, 404)
  const refused = await bank.askAt('POST', '/oauth/token', {
    form: { grant_type: 'client_credentials', scope: 'cob.write' },
    headers: {
      authorization: `Basic ${Buffer.from(`${bank.client.clientId}:${bank.client.clientSecret}`).toString('base64')}`,
    },
  })
  t.equal(refused.status, 400)
})

t.test('what the control port does not know it refuses', async (t) => {
  const bank = await bankFor(t)
  await t.rejects(bank.hold('POST /nothing'), { message: /is no control/ })
  await t.rejects(bank.hold('POST /faults', { path: '(', does: { kind: 'cut', when: 'before' } }), {
    message: /regular expression/,
  })
  await t.rejects(bank.hold('POST /pay', { txid: 'none' }), { message: /nothing is to be paid/ })
})
