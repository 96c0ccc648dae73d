import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import type { CompanyConnection } from '../../../../engine/companies/connection.ts'
import { railConnectionOf } from '../../../../engine/connections/rail-connection.ts'
import type { MembershipId, PersonId } from '../../../../engine/shared/ids.ts'
import { bounds } from '../../../../gateway/base/bounds.ts'
import { type Asker, operatorAsks } from '../../../../gateway/identity/asked.ts'
import { openRails } from '../../../../gateway/operations/connections/rails.ts'
import { hookTokenOf, openedSettings } from '../../../../gateway/providers/connection-settings.ts'
import { openRailConnections } from '../../../../gateway/providers/rail-connections.ts'
import { aMember } from '../../../engine/companies/entries.ts'
import { liveState } from '../../../engine/connections/live.ts'
import { companyId } from '../../../engine/world.ts'
import { aMadeUpBank, someSettings } from '../../providers/made-up-bank.ts'
import { newOperator, newPerson, type Operator } from '../operator.ts'

const place = { company: companyId, environment: 'production' }
const fixtures = join(resolve(import.meta.dirname, '../../../../..'), 'test/fixtures')

const created = (operator: Operator, change: object = {}): Promise<any> =>
  operator.operate('connections create', {
    ...place,
    provider: 'made-up-bank',
    settings: someSettings,
    ...change,
  })

/** A connection that takes what is new. */
const active = async (operator: Operator, change: object = {}): Promise<any> => {
  const { id } = await created(operator, change)
  await operator.operate('connections verify', { id })
  return operator.operate('connections activate', { id })
}

const stored = ({ directory }: Operator, id: string): CompanyConnection =>
  directory.connections.byId.get(id as CompanyConnection['id'])!

/** Everything that an operation leaves behind: facts with their audit records, the journal, and what answers say. */
const tracesOf = (
  { facts, world }: Pick<Operator, 'facts' | 'world'>,
  ...answers: readonly unknown[]
): string => JSON.stringify([facts, [...world.journal.replay(0)].map(({ record }) => record), answers])

t.test('a connection is tried before it is used, and the account has it from then on', async (t) => {
  const operator = await newOperator()
  const draft = await created(operator)
  t.match(draft, {
    id: /^con_[0-9A-Z]{26}$/,
    object: 'connection',
    status: 'DRAFT',
    environment: 'PRODUCTION',
    provider: 'made-up-bank',
    providerLabel: 'Made-up bank',
    role: 'PRIMARY',
    rails: ['PIX'],
    certificateEndsAt: null,
  })
  const { id } = draft
  await t.rejects(operator.operate('connections activate', { id }), /is DRAFT, and has to be VERIFIED/)
  t.match(await operator.operate('connections verify', { id }), { status: 'VERIFIED' })
  t.equal(operator.world.memory.find('account', `${companyId}/PRODUCTION` as never)?.state.rails, undefined)
  t.match(await operator.operate('connections activate', { id }), { status: 'ACTIVE' })
  t.match(railConnectionOf(liveState(operator.world), 'PIX'), {
    connectionId: id,
    provider: 'made-up-bank',
    pixKey: someSettings.pixKey,
    offers: ['REFUND'],
    state: 'ACTIVE',
  })
  t.match(await operator.operate('connections suspend', { id }), {
    status: 'SUSPENDED',
    suspendedBecause: 'REQUESTED',
  })
  t.equal(railConnectionOf(liveState(operator.world), 'PIX'), null)
  t.match(await operator.operate('connections resume', { id }), { status: 'ACTIVE', suspendedBecause: null })
  t.ok(railConnectionOf(liveState(operator.world), 'PIX'))
  t.match(await operator.operate('connections retire', { id }), { status: 'RETIRED' })
  t.match(liveState(operator.world).rails, [{ connectionId: id, state: 'RETIRED' }])
  for (const name of ['activate', 'resume', 'verify', 'suspend', 'rotate'])
    await t.rejects(
      operator.operate(`connections ${name}`, { id, ...(name === 'rotate' && { settings: {} }) }),
      /is RETIRED/,
    )
  t.match(await operator.operate('connections list', place), { data: [{ id, status: 'RETIRED' }] })
  t.match(await operator.operate('connections get', { id }), { id })
})

t.test('one that does not work is not used, and says why', async (t) => {
  const bank = aMadeUpBank()
  const operator = await newOperator(bank)
  bank.health = () => ({ works: false, detail: 'invalid_client', certificateEndsAtMs: null })
  const { id } = await created(operator)
  await t.rejects(operator.operate('connections verify', { id }), /does not work: invalid_client/)
  bank.onOpen = () => {
    throw new Error('no such key')
  }
  await t.rejects(operator.operate('connections verify', { id }), /does not work: no such key/)
  t.equal(stored(operator, id).state, 'DRAFT')
})

t.test('secrets are sealed, and are in no answer, no record, no journal and no complaint', async (t) => {
  const bank = aMadeUpBank()
  const operator = await newOperator(bank)
  const secret = someSettings.clientSecret
  bank.health = ({ settings }) => ({
    works: false,
    detail: `the bank says: no ${settings.clientSecret}`,
    certificateEndsAtMs: null,
  })
  const draft = await created(operator)
  t.match(draft.settings, [
    { name: 'clientId', secret: false, last4: '0001' },
    { name: 'pixKey', secret: false, last4: '0001' },
    { name: 'clientSecret', secret: true, last4: null },
  ])
  const { id } = draft
  const complaint = await operator.operate('connections verify', { id }).catch((error: Error) => error)
  t.match(complaint, { message: /the bank says: no …$/ })
  bank.onOpen = ({ settings }) => {
    throw new Error(`bad ${settings.clientSecret}`)
  }
  const other = await operator.operate('connections verify', { id }).catch((error: Error) => error)
  t.match(other, { message: /bad …$/ })
  const misplaced = await created(operator, {
    settings: { ...someSettings, clientSecret: undefined, clientSecrets: secret, pixKey: 5 },
  }).catch((error: unknown) => error)
  t.match(misplaced, {
    code: 'VALIDATION_ERROR',
    extra: {
      errors: [
        { field: 'settings.clientSecrets', code: 'INVALID_VALUE' },
        { field: 'settings.clientSecret', code: 'REQUIRED' },
        { field: 'settings.pixKey', code: 'INVALID_TYPE' },
      ],
    },
  })
  bank.onOpen = () => undefined
  bank.health = () => ({ works: true, detail: null, certificateEndsAtMs: null })
  const views = [
    draft,
    await active(operator, { role: 'fallback' }),
    await operator.operate('connections list'),
  ]
  const traces = tracesOf(operator, views, complaint, JSON.stringify(misplaced), operator.faults)
  t.notMatch(traces, secret)
  t.notMatch(tracesOf({ ...operator, facts: [] }, views), someSettings.clientId)
  t.notMatch(JSON.stringify(operator.facts.map(({ audit }) => audit)), someSettings.clientId)
  t.notMatch(traces, hookTokenOf(stored(operator, id), operator.masterKey))
  t.match(hookTokenOf(stored(operator, id), operator.masterKey), /^[0-9A-Za-z]{43}$/)
  t.match(bank.opened.at(-1), { settings: { clientSecret: secret } }, 'the bank is asked with it')
})

t.test('a sealed field opens for its own connection and name alone', async (t) => {
  const operator = await newOperator()
  const one = stored(operator, (await created(operator)).id)
  const other = stored(operator, (await created(operator)).id)
  const { sealed, settings } = one.credentials
  t.equal(openedSettings(one.id, one.credentials, operator.masterKey).clientSecret, someSettings.clientSecret)
  t.throws(() => openedSettings(other.id, one.credentials, operator.masterKey))
  const renamed = { settings, sealed: { other: sealed.clientSecret! } }
  t.throws(() => openedSettings(one.id, renamed, operator.masterKey))
  t.throws(() => hookTokenOf({ ...other, sealedHookToken: one.sealedHookToken }, operator.masterKey))
})

t.test('of two who activate at once one decides, and the account is connected once', async (t) => {
  const operator = await newOperator()
  const { id } = await created(operator)
  await operator.operate('connections verify', { id })
  const both = await Promise.all([1, 2].map(() => operator.operate('connections activate', { id })))
  t.match(both, [{ status: 'ACTIVE' }, { status: 'ACTIVE' }])
  t.equal(operator.facts.filter(({ type }) => type === 'ConnectionActivated').length, 1)
  t.equal(liveState(operator.world).rails?.length, 1)
})

t.test('an account and rail has one primary connection, and one fallback', async (t) => {
  const operator = await newOperator()
  const first = await active(operator)
  const second = await created(operator)
  await operator.operate('connections verify', { id: second.id })
  await t.rejects(
    operator.operate('connections activate', { id: second.id }),
    new RegExp(`${first.id} is the PRIMARY connection for PIX already`),
  )
  await operator.operate('connections suspend', { id: first.id })
  await t.rejects(operator.operate('connections activate', { id: second.id }), /PRIMARY/, 'it may be resumed')
  const fallback = await active(operator, { role: 'fallback' })
  t.equal(railConnectionOf(liveState(operator.world), 'PIX')?.connectionId, fallback.id)
  await operator.operate('connections retire', { id: first.id })
  await operator.operate('connections activate', { id: second.id })
  t.equal(railConnectionOf(liveState(operator.world), 'PIX')?.connectionId, second.id)
})

t.test(
  'after a crash between directory and account the account is connected by the next start',
  async (t) => {
    const operator = await newOperator()
    const { id } = await created(operator)
    await operator.operate('connections verify', { id })
    // The process ends right behind the fact of the directory.
    await operator.commit(() => ({ type: 'ConnectionActivated', id, atMs: operator.world.now() }))
    let isAway = true
    const pauses: (() => void)[] = []
    const troubles: unknown[] = []
    const next = openRails({
      ...operator.railsOptions,
      router: {
        execute: async (command) => {
          if (isAway) throw new Error('the shard has no owner')
          return operator.world.execute(command) as never
        },
        query: operator.railsOptions.router.query,
      },
      onTrouble: (error) => troubles.push(error),
      pause: (ms) => new Promise((resolve) => ms === bounds.accountsRetryMs && pauses.push(resolve)),
    })
    next.applyMissing()
    const turn = () => new Promise(setImmediate)
    await turn()
    await turn()
    t.match(troubles, [{ message: 'the shard has no owner' }])
    t.equal(operator.directory.connections.applied.size, 0)
    isAway = false
    const done = next.apply(id)
    for (const end of pauses.splice(0)) end()
    t.equal(await done, true)
    t.equal(railConnectionOf(liveState(operator.world), 'PIX')?.connectionId, id)
    const appended = operator.world.journal.appended()
    t.equal(await next.apply(id), true)
    t.equal(operator.world.journal.appended(), appended, 'and is not asked once more')
  },
)

t.test('a crash behind the account only repeats the command, which changes nothing', async (t) => {
  const operator = await newOperator()
  const { id } = await created(operator)
  await operator.operate('connections verify', { id })
  await operator.operate('connections activate', { id })
  const { connections } = operator.directory
  ;(connections.applied as unknown as Map<string, number>).clear()
  const appended = operator.world.journal.appended()
  t.equal(await openRails(operator.railsOptions).apply(id), true)
  t.equal(operator.world.journal.appended(), appended)
  t.equal(connections.applied.get(id), stored(operator, id).revision)
})

t.test('rotated credentials have to work, and those before can be taken back for a day', async (t) => {
  const bank = aMadeUpBank()
  const operator = await newOperator(bank)
  const { id } = await active(operator)
  const settings = { clientSecret: 'the next secret' }
  bank.health = ({ settings }) => ({
    works: settings.clientSecret === someSettings.clientSecret,
    detail: null,
    certificateEndsAtMs: null,
  })
  await t.rejects(operator.operate('connections rotate', { id, settings }), /does not work/)
  bank.health = () => ({ works: true, detail: null, certificateEndsAtMs: null })
  await t.rejects(operator.operate('connections restore', { id }), /no credentials to take back/)
  await t.rejects(
    operator.operate('connections rotate', { id, settings: { pixKey: 'other' } }),
    /another PIX key/,
  )
  t.match(await operator.operate('connections rotate', { id, settings }), {
    status: 'ACTIVE',
    formerCredentialsUntil: /Z$/,
  })
  const secret = () => openedSettings(id, stored(operator, id).credentials, operator.masterKey)
  t.match(secret(), { ...someSettings, clientSecret: 'the next secret' }, 'what is not named stays')
  t.match(await operator.operate('connections restore', { id }), { formerCredentialsUntil: null })
  t.match(secret(), someSettings)
  await operator.operate('connections rotate', { id, settings })
  operator.world.pass(24 * 3_600_000)
  await t.rejects(operator.operate('connections restore', { id }), /no credentials to take back/)
  t.match(operator.facts.findLast(({ type }) => type === 'ConnectionRotated')?.audit, {
    changes: [{ field: 'credentials', before: null, after: null }],
  })
})

t.test('only what is in use is open, and a rotation opens it anew', async (t) => {
  const bank = aMadeUpBank()
  const operator = await newOperator(bank)
  const closings: (() => void)[] = []
  const rails = openRailConnections({
    ...operator.tools,
    directory: operator.directory,
    timeout: (_, callback) => {
      closings.push(callback)
      return () => undefined
    },
  })
  const { id } = await created(operator)
  t.equal(rails.byConnection(id), null, 'a draft is not')
  await operator.operate('connections verify', { id })
  await operator.operate('connections activate', { id })
  const first = rails.byConnection(id)
  t.match(first, { connectionId: id, accountId: `${companyId}/PRODUCTION` })
  t.equal(rails.byConnection(id), first)
  await operator.operate('connections suspend', { id })
  t.equal(rails.byConnection(id), first, 'it still refunds')
  await operator.operate('connections rotate', { id, settings: { clientSecret: 'the next secret' } })
  const second = rails.byConnection(id)
  t.not(second, first)
  bank.closed.length = 0
  for (const end of closings.splice(0)) end()
  await new Promise(setImmediate)
  t.strictSame(bank.closed, [someSettings.clientSecret], 'once what is on its way is over')
  await operator.operate('connections retire', { id })
  t.equal(rails.byConnection(id), second, 'a retired one answers for what came by it')
  t.equal(rails.byConnection('con_unknown'), null)
  rails.close()
})

t.test('what cannot be opened is tried from time to time, and the log has no secret', async (t) => {
  const bank = aMadeUpBank()
  const operator = await newOperator(bank)
  const { id } = await active(operator)
  let tries = 0
  bank.onOpen = ({ settings }) => {
    tries += 1
    throw new Error(`no ${settings.clientSecret}`)
  }
  const rails = openRailConnections({ ...operator.tools, directory: operator.directory })
  t.equal(rails.byConnection(id), null)
  t.equal(rails.byConnection(id), null)
  t.equal(tries, 1)
  operator.world.pass(30_000)
  t.equal(rails.byConnection(id), null)
  t.equal(tries, 2)
  t.strictSame(operator.faults, ['no …', 'no …'])
  const wrong = openRailConnections({
    ...operator.tools,
    masterKey: Buffer.alloc(32),
    directory: operator.directory,
  })
  t.equal(wrong.byConnection(id), null, 'nor with another master key')
  const without = openRailConnections({ ...operator.tools, modules: {}, directory: operator.directory })
  t.equal(without.byConnection(id), null)
  t.match(operator.faults.at(-1), /has no provider made-up-bank/)
})

t.test(
  'a certificate is shown by whose it is and when it ends, and one that is over is not used',
  async (t) => {
    const operator = await newOperator()
    const expired = readFileSync(join(fixtures, 'receiver-expired.pem'), 'utf8')
    const { id, ...draft } = await created(operator, { settings: { ...someSettings, certificate: expired } })
    t.match(draft, { certificateSubject: /CN=/, certificateEndsAt: /^20/ })
    t.match(draft.settings[2], { name: 'certificate', last4: null })
    await operator.operate('connections verify', { id })
    await t.rejects(operator.operate('connections activate', { id }), /has expired/)
  },
)

t.test('the Sandbox has no connections, and no setting is a provider’s that is not', async (t) => {
  const operator = await newOperator()
  await t.rejects(created(operator, { environment: 'sandbox' }), /Sandbox has providers of its own/)
  await t.rejects(
    created(operator, { provider: 'no-bank' }),
    /there is no provider no-bank; there are made-up-bank/,
  )
  await t.rejects(created(operator, { provider: 'toString' }), /there is no provider/)
  await t.rejects(created(operator, { rails: 'CARD' }), /rails/)
  await t.rejects(created(operator, { rails: '' }), /rails/)
  await t.rejects(created(operator, { role: 'both' }), /role/)
  for (const settings of [undefined, null, [], 'text'])
    await t.rejects(created(operator, { settings }), /settings/)
  t.strictSame(operator.directory.connections.byId.size, 0)
  for (let n = 0; n < 20; n++) await created(operator)
  await t.rejects(created(operator), /at most 20/)
})

const roles = (role: 'ADMIN' | 'OWNER') => ({ SANDBOX: role, PRODUCTION: role }) as const

t.test('a person needs a second factor for what lets money come, and none to stop it', async (t) => {
  const person = await newPerson(roles('OWNER'))
  const does = (name: string, input: object = {}) =>
    person.operate(`connections ${name}`, { ...place, ...input }, person.by)
  const confirmedNames: string[] = []
  person.hooks.onConfirm = ({ operation }) => {
    confirmedNames.push(operation)
  }
  const { id } = await does('create', { provider: 'made-up-bank', settings: someSettings })
  await does('verify', { id })
  await does('activate', { id })
  await does('suspend', { id })
  await does('resume', { id })
  await does('rotate', { id, settings: { clientSecret: 'the next secret' } })
  await does('restore', { id })
  await does('retire', { id })
  const needing = ['create', 'activate', 'resume', 'rotate', 'restore', 'retire']
  t.strictSame(
    confirmedNames,
    needing.map((name) => `connections ${name}`),
  )
  person.hooks.onConfirm = () => {
    throw new Error('no factor')
  }
  await t.rejects(does('create', { provider: 'made-up-bank', settings: someSettings }), /no factor/)
  t.equal(person.directory.connections.byId.size, 1)
})

t.test('a person does not choose which machine is asked, nor touches another company’s', async (t) => {
  const person = await newPerson(roles('OWNER'))
  const does = (name: string, input: object = {}) =>
    person.operate(`connections ${name}`, { ...place, ...input }, person.by)
  const settings = { ...someSettings, apiAddress: 'https://127.0.0.1' }
  await t.rejects(does('create', { provider: 'made-up-bank', settings }), /set by the operator/)
  const { id } = await created(person, { settings })
  t.match(await does('list'), { data: [{ id }] })
  const others = { ...place, company: 'cmp_00000000000000000000000002', id }
  for (const name of ['verify', 'activate', 'suspend', 'resume', 'retire', 'restore', 'get'])
    await t.rejects(person.operate(`connections ${name}`, others, person.by), { code: 'NOT_FOUND' })
  const inSandbox = { company: companyId, environment: 'SANDBOX', id }
  await t.rejects(person.operate('connections retire', inSandbox, person.by), { code: 'NOT_FOUND' })
})

t.test('where money can leave by a connection, another person confirms that it is used', async (t) => {
  const bank = aMadeUpBank({ rails: ['PIX', 'PAYOUT'] })
  const person = await newPerson(roles('OWNER'), bank)
  const { id } = await created(person)
  await person.operate('connections verify', { id })
  const activate = (personId: string) =>
    person.operate('connections activate', { ...place, id }, { ...person.by, personId: personId as PersonId })
  const join = (personId: string) => {
    for (const fact of aMember(
      companyId as never,
      personId as PersonId,
      `mbr_${personId}` as MembershipId,
      roles('ADMIN'),
    ))
      person.learn(fact)
  }
  join('per_2')
  t.match(await activate('per_1'), { status: 'VERIFIED', activationRequestedAt: /Z$/ })
  await t.rejects(activate('per_1'), { code: 'OWN_REQUEST' })
  t.equal(liveStateOrNone(person)?.length ?? 0, 0)
  t.match(await activate('per_2'), { status: 'ACTIVE', activationRequestedAt: null })
  t.match(
    person.facts.filter(({ type }) => type.startsWith('ConnectionActivat')).map(({ audit }) => audit),
    [
      { actor: { id: 'per_1' }, changes: [{ field: 'requestedStatus', after: 'ACTIVE' }] },
      { actor: { id: 'per_2' }, changes: [{ field: 'status', before: 'VERIFIED', after: 'ACTIVE' }] },
    ],
  )
  const alone = await newPerson(roles('OWNER'), bank)
  const own = await created(alone)
  await alone.operate('connections verify', { id: own.id })
  t.match(await alone.operate('connections activate', { ...place, id: own.id }, alone.by), {
    status: 'ACTIVE',
  })
})

const liveStateOrNone = ({ world }: Operator) =>
  world.memory.find('account', `${companyId}/PRODUCTION` as never)?.state.rails

t.test('every change is in the audit log of the account, by whom it was made', async (t) => {
  const operator = await newOperator()
  const by: Asker = { ...operatorAsks, requestId: 'req_1' }
  const { id } = await operator.operate(
    'connections create',
    { ...place, provider: 'made-up-bank', settings: someSettings },
    by,
  )
  await operator.operate('connections verify', { id }, by)
  await operator.operate('connections activate', { id }, by)
  const audits = operator.facts.flatMap(({ audit }) => audit ?? [])
  t.match(audits, [
    {
      action: 'connections create',
      object: { type: 'connection', id },
      changes: [
        { field: 'provider', after: 'made-up-bank' },
        { field: 'rails' },
        { field: 'role' },
        { field: 'status' },
      ],
    },
    { action: 'connections verify', changes: [{ field: 'status', before: 'DRAFT', after: 'VERIFIED' }] },
    { action: 'connections activate', changes: [{ field: 'status', after: 'ACTIVE' }] },
  ])
})
