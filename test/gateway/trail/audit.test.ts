import t from 'tap'
import { type Asker, operatorAsks } from '../../../gateway/identity/asked.ts'
import type { ToldAct } from '../../../gateway/trail/audit-trail.ts'
import { newAuditTrail } from '../../../gateway/trail/audit-trail.ts'
import { newPerson, type Operator } from '../operations/operator.ts'

const all = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const

const asking: Partial<Asker> = {
  sessionId: 'ses_1' as never,
  ip: '203.0.113.7',
  userAgent: 'Firefox',
  requestId: 'req_1',
}

/** A person who asks from a browser, and what the facts say of it. */
const newBrowser = async () => {
  const person = await newPerson(all)
  Object.assign(person.by, asking)
  const last = () => person.facts.findLast(({ audit }) => audit !== undefined)?.audit
  const changed = () =>
    Object.fromEntries((last()?.changes ?? []).map(({ field, before, after }) => [field, [before, after]]))
  return { ...person, last, changed }
}

t.test('each fact says who asked for it, from where, and what has changed', async (t) => {
  const { does, last, changed, by, world, company } = await newBrowser()
  const { id } = await does('keys create', { name: 'Loja', scopes: ['charges.read'] })
  t.strictSame(last(), {
    atMs: world.now(),
    actor: { kind: 'PERSON', id: by.personId, name: 'Ana Souza' },
    sessionId: 'ses_1',
    keyId: null,
    ip: '203.0.113.7',
    userAgent: 'Firefox',
    action: 'keys create',
    object: { type: 'api_key', id },
    changes: [
      { field: 'name', before: null, after: 'Loja' },
      { field: 'scopes', before: null, after: '["charges.read"]' },
      { field: 'ipAllowList', before: null, after: '[]' },
    ],
    result: 'DONE',
    code: null,
    requestId: 'req_1',
  })
  await does('keys update', { id, name: 'Caixa', ipAllowList: ['10.0.0.0/8'] })
  t.strictSame(changed(), { name: ['Loja', 'Caixa'], ipAllowList: ['[]', '["10.0.0.0/8"]'] })
  const rolled = await does('keys roll', { id })
  t.strictSame(changed().rolledTo, [null, rolled.id])
  await does('keys revoke', { id })
  t.match([last()!.action, changed()], ['keys revoke', { status: ['ACTIVE', 'REVOKED'] }])

  const endpoint = await does('webhooks create', { url: 'https://example.com/hook' })
  t.strictSame(changed(), {
    url: [null, 'https://example.com/hook'],
    events: [null, '[]'],
    extraEvents: [null, 'false'],
    signature: [null, 'service'],
    headerNames: [null, '[]'],
  })
  await does('webhooks update', { id: endpoint.id, headers: { Authorization: 'Bearer one' } })
  t.strictSame(changed(), { headerNames: ['[]', '["Authorization"]'], headers: [null, null] })
  await does('webhooks update', { id: endpoint.id, headers: { Authorization: 'Bearer two' } })
  t.strictSame(changed(), { headers: [null, null] }, 'a new value is named, and not shown')
  await does('webhooks rotate', { id: endpoint.id })
  t.match([last()!.action, changed()], ['webhooks rotate', { secret: [null, null] }])
  await does('webhooks update', { id: endpoint.id, status: 'DISABLED' })
  t.strictSame(changed(), { status: ['ENABLED', 'DISABLED'] })

  await does('company update', { tradeName: 'Azul', timeZone: 'America/Manaus' })
  t.strictSame(changed(), { tradeName: [null, 'Azul'], timeZone: ['America/Sao_Paulo', 'America/Manaus'] })
  const bankAccount = { bankCode: '341', branch: '1', account: '2', accountType: 'CHECKING' }
  await does('company update', { bankAccount })
  t.strictSame(changed(), { bankAccount: [null, JSON.stringify(bankAccount)] })
  t.equal(last()!.object!.id, company.id)
})

t.test('no secret and no whole document is in it', async (t) => {
  const { does, operate, facts, last } = await newBrowser()
  const key = await does('keys create')
  const endpoint = await does('webhooks create', { url: 'https://example.com/hook' })
  const rotated = await does('webhooks rotate', { id: endpoint.id })
  await operate('companies create', { name: 'Outra', document: '11444777000161' })
  t.match(last(), {
    actor: { kind: 'OPERATOR', id: null },
    ip: null,
    action: 'companies create',
  })
  const told = JSON.stringify(facts.map(({ audit }) => audit))
  for (const secret of [key.secret, endpoint.secret, rotated.secret, '11444777000161', 'sealed'])
    t.notOk(told.includes(secret), secret)
  t.match(told, /\*\*\.444\.777\/\*{4}-\*\*/)
})

/** The shards of a test: what they were told, and whether they answer. */
const newLogs = () => {
  const told: (readonly [accountId: string, sequence: number, action: string])[] = []
  const away = new Set<string>()
  return {
    told,
    away,
    open: ({ trail, commit, world }: Pick<Operator, 'trail' | 'commit' | 'world'>) => {
      const pauses: (() => void)[] = []
      trail.open({
        record: async (accountId: string, { sequence, draft }: ToldAct) => {
          if (away.has(accountId)) throw new Error('no owner')
          told.push([accountId, sequence, draft!.action])
        },
        commit,
        realNow: world.now,
        onTrouble: () => undefined,
        pause: () => new Promise((resolve) => void pauses.push(resolve)),
      })
      return () => {
        for (const resume of pauses.splice(0)) resume()
      }
    },
  }
}

const settled = async (): Promise<void> => {
  for (let n = 0; n < 50; n++) await new Promise(setImmediate)
}

t.test('every account is told its facts in order, and that it was is a fact', async (t) => {
  const browser = await newBrowser()
  const { does, facts, company } = browser
  const logs = newLogs()
  logs.open(browser)
  await does('keys create')
  await does('company update', { tradeName: 'Azul' })
  await does('company update', { tradeName: 'Verde' })
  browser.trail.report()
  await settled()
  t.strictSame(
    logs.told.toSorted(([, a], [, b]) => a - b),
    [
      [`${company.id}/SANDBOX`, 2, 'keys create'],
      [`${company.id}/PRODUCTION`, 3, 'company update'],
      [`${company.id}/PRODUCTION`, 5, 'company update'],
    ],
  )
  t.match(facts.at(-1), { type: 'AuditsTold' })
  const count = facts.length
  browser.trail.report()
  await settled()
  t.equal(facts.length, count, 'nothing is left to tell')
})

t.test('a shard that is away holds up no other, and is told when it is back; a start goes on', async (t) => {
  const browser = await newBrowser()
  const { does, facts, company } = browser
  const logs = newLogs()
  const resume = logs.open(browser)
  logs.away.add(`${company.id}/PRODUCTION`)
  await does('company update', { tradeName: 'Azul' })
  await does('keys create')
  browser.trail.report()
  await settled()
  t.strictSame(
    logs.told.map(([, , action]) => action),
    ['keys create'],
  )

  const again = newAuditTrail(browser)
  for (const [n, fact] of facts.entries()) again.apply(fact, n + 1)
  const restarted = newLogs()
  restarted.open({ ...browser, trail: again, commit: async () => undefined })
  again.report()
  await settled()
  t.strictSame(
    restarted.told.map(([, , action]) => action).sort(),
    ['company update', 'keys create'],
    'with the numbers that they had before: the log takes each once',
  )
  logs.away.clear()
  resume()
  await settled()
  t.strictSame(
    logs.told.map(([, , action]) => action),
    ['keys create', 'company update'],
  )
})

t.test('what another node should have told is told after half a minute', async (t) => {
  const browser = await newBrowser()
  const logs = newLogs()
  logs.open(browser)
  await browser.does('keys create')
  browser.trail.reportOverdue()
  await settled()
  t.equal(logs.told.length, 0)
  browser.world.pass(30_000)
  browser.trail.reportOverdue()
  await settled()
  t.equal(logs.told.length, 1)
})

t.test('what the service does by itself has no author', async (t) => {
  const { commit, facts, company } = await newBrowser()
  await commit(() => ({ type: 'CompanyChanged', id: company.id, changes: { timeZone: 'UTC' }, atMs: 0 }))
  t.equal(facts.at(-1)!.audit, undefined)
  await commit(() => ({ type: 'AccountsOpened', companyId: company.id, revision: 9 }), operatorAsks)
  t.equal(facts.at(-1)!.audit, undefined)
})
