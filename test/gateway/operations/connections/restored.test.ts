import t from 'tap'
import type { CompanyConnection } from '../../../../engine/companies/connection.ts'
import { railConnectionOf } from '../../../../engine/connections/rail-connection.ts'
import type { ConnectionId } from '../../../../engine/shared/ids.ts'
import { openRails } from '../../../../gateway/operations/connections/rails.ts'
import { hookTokenOf, openedSettings } from '../../../../gateway/providers/connection-settings.ts'
import { openRailConnections } from '../../../../gateway/providers/rail-connections.ts'
import { liveState } from '../../../engine/connections/live.ts'
import { companyId } from '../../../engine/world.ts'
import { someSettings } from '../../providers/made-up-bank.ts'
import { newOperator, type Operator, refusal } from '../operator.ts'

// A restore brings the directory and the log of an account back to different moments.

const place = { company: companyId, environment: 'production' }

/** An operator with an active connection, and what its directory can be brought back to. */
const connected = async () => {
  const operator = await newOperator()
  const { id } = (await operator.operate('connections create', {
    ...place,
    provider: 'made-up-bank',
    settings: someSettings,
  })) as { id: ConnectionId }
  await operator.operate('connections verify', { id })
  const verified = momentOf(operator, id)
  await operator.operate('connections activate', { id })
  return { operator, id, verified, activated: momentOf(operator, id) }
}

type Moment = { readonly connection: CompanyConnection; readonly applied: number | undefined }

const momentOf = ({ directory: { connections } }: Operator, id: ConnectionId): Moment => ({
  connection: connections.byId.get(id)!,
  applied: connections.applied.get(id),
})

/** Brings the directory alone back, and starts the service on it. */
const restoredTo = async (operator: Operator, moment: Moment): Promise<void> => {
  bringBack(operator, moment)
  await started(operator)
}

const bringBack = (operator: Operator, { connection, applied }: Moment): void => {
  const connections = operator.directory.connections as unknown as {
    readonly byId: Map<ConnectionId, CompanyConnection>
    readonly applied: Map<ConnectionId, number>
  }
  connections.byId.set(connection.id, connection)
  connections.applied.delete(connection.id)
  if (applied !== undefined) connections.applied.set(connection.id, applied)
}

const started = async (operator: Operator): Promise<void> => {
  openRails(operator.railsOptions).applyMissing()
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
}

const rotatedTo = (clientSecret: string) => ({ ...someSettings, clientSecret })

/** What the directory says, what the account has, and whether it takes something new. */
const found = ({ directory, world }: Operator, id: ConnectionId) => ({
  directory: directory.connections.byId.get(id)!.state,
  account: liveState(world).rails?.find(({ connectionId }) => connectionId === id)?.state ?? null,
  takes: railConnectionOf(liveState(world), 'PIX')?.connectionId === id,
})

t.test('a connection that was retired later does not come alive, and its place is free', async (t) => {
  const { operator, id, activated } = await connected()
  await operator.operate('connections retire', { id })
  await restoredTo(operator, activated)
  t.strictSame(found(operator, id), { directory: 'RETIRED', account: 'RETIRED', takes: false })
  t.match(operator.facts.findLast(({ type }) => type === 'ConnectionOutdated')?.audit, {
    actor: { kind: 'CLOCK' },
    action: 'connections retire',
    changes: [{ field: 'status', before: 'ACTIVE', after: 'RETIRED' }],
  })
  const next = await operator.operate('connections create', {
    ...place,
    provider: 'made-up-bank',
    settings: someSettings,
  })
  await operator.operate('connections verify', { id: next.id })
  t.match(await operator.operate('connections activate', { id: next.id }), { status: 'ACTIVE' })
})

t.test('one that was suspended later takes no money until a person resumes it', async (t) => {
  const { operator, id, activated } = await connected()
  await operator.operate('connections suspend', { id })
  await restoredTo(operator, activated)
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
  t.match(await operator.operate('connections resume', { id }), { status: 'ACTIVE' })
  t.strictSame(found(operator, id), { directory: 'ACTIVE', account: 'ACTIVE', takes: true })
})

t.test(
  'one that was active in the account alone stays suspended, and what people change later counts',
  async (t) => {
    const { operator, id } = await connected()
    await operator.operate('connections suspend', { id })
    const suspended = momentOf(operator, id)
    for (const name of ['resume', 'suspend', 'resume']) await operator.operate(`connections ${name}`, { id })
    await restoredTo(operator, suspended)
    t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
    await operator.operate('connections retire', { id })
    t.strictSame(found(operator, id), { directory: 'RETIRED', account: 'RETIRED', takes: false })
  },
)

t.test('what a person stops counts even before a start has compared them', async (t) => {
  const { operator, id, activated } = await connected()
  for (const name of ['suspend', 'resume', 'suspend', 'resume'])
    await operator.operate(`connections ${name}`, { id })
  bringBack(operator, activated)
  await operator.operate('connections suspend', { id })
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
  const { revision } = operator.directory.connections.byId.get(id)!
  t.equal(liveState(operator.world).rails?.[0]?.revision, revision)
  t.equal(operator.directory.connections.applied.get(id), revision)
})

t.test('the same revision of something else is no agreement', async (t) => {
  const { operator, id, activated } = await connected()
  await operator.operate('connections suspend', { id })
  bringBack(operator, activated)
  await operator.operate('connections rotate', { id, settings: rotatedTo('another secret') })
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
})

t.test('credentials that were replaced later are doubted until the bank was asked', async (t) => {
  const { operator, id, activated } = await connected()
  await operator.operate('connections rotate', { id, settings: rotatedTo('the lost secret') })
  await restoredTo(operator, activated)
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
  const shown = () => operator.operate('connections get', { id })
  t.match(await shown(), { status: 'SUSPENDED', suspendedBecause: 'CREDENTIALS_OUTDATED' })
  t.equal(operator.stopped.length, 1, 'people are to hear of it')
  t.match(await refusal(operator.operate('connections resume', { id })), {
    message: /was restored to before the credentials of con_\w+ were replaced/,
  })
  operator.bank.health = () => ({ works: false, detail: 'invalid_client', certificateEndsAtMs: null })
  t.match(await refusal(operator.operate('connections verify', { id })), { message: /invalid_client/ })
  t.match(await refusal(operator.operate('connections resume', { id })), { message: /verify it/ })
  operator.bank.health = () => ({ works: true, detail: null, certificateEndsAtMs: null })
  const next = rotatedTo('the newest secret')
  t.match(await operator.operate('connections rotate', { id, settings: next }), {
    status: 'SUSPENDED',
    suspendedBecause: 'DATA_RESTORED',
  })
  t.match(await operator.operate('connections resume', { id }), { status: 'ACTIVE', suspendedBecause: null })
  t.strictSame(found(operator, id), { directory: 'ACTIVE', account: 'ACTIVE', takes: true })
  const { credentials } = operator.directory.connections.byId.get(id)!
  t.equal(openedSettings(id, credentials, operator.masterKey).clientSecret, 'the newest secret')
  const before = operator.facts.length
  await started(operator)
  t.equal(operator.facts.length, before, 'and the next start has nothing to doubt')
})

t.test('older credentials that still work are verified, and the connection resumed', async (t) => {
  const { operator, id, activated } = await connected()
  await operator.operate('connections rotate', { id, settings: rotatedTo('the lost secret') })
  await restoredTo(operator, activated)
  t.match(await operator.operate('connections verify', { id }), { suspendedBecause: 'DATA_RESTORED' })
  await operator.operate('connections resume', { id })
  t.strictSame(found(operator, id), { directory: 'ACTIVE', account: 'ACTIVE', takes: true })
  const before = operator.facts.length
  await started(operator)
  t.equal(operator.facts.length, before)
})

t.test('a rotation is known to the account of a suspended connection, too', async (t) => {
  const { operator, id } = await connected()
  await operator.operate('connections suspend', { id })
  const suspended = momentOf(operator, id)
  await operator.operate('connections rotate', { id, settings: rotatedTo('the lost secret') })
  await restoredTo(operator, suspended)
  t.match(await operator.operate('connections get', { id }), { suspendedBecause: 'CREDENTIALS_OUTDATED' })
})

t.test('credentials are found to be older however often the directory has changed since', async (t) => {
  const { operator, id, activated } = await connected()
  await operator.operate('connections rotate', { id, settings: rotatedTo('the lost secret') })
  bringBack(operator, activated)
  const atMs = operator.world.now()
  for (let times = 0; times < 3; times++)
    await operator.commit(() => ({ type: 'ConnectionVerified', id, certificate: null, atMs }))
  await started(operator)
  t.match(await operator.operate('connections get', { id }), { suspendedBecause: 'CREDENTIALS_OUTDATED' })
})

/** Forgets the connection: the directory is that of a moment before it was made. */
const forget = ({ directory: { connections } }: Operator, id: ConnectionId): void => {
  ;(connections.byId as Map<ConnectionId, CompanyConnection>).delete(id)
  ;(connections.applied as Map<ConnectionId, number>).delete(id)
}

t.test('a connection that only the account knows is shown, takes nothing, and is healed', async (t) => {
  const { operator, id } = await connected()
  const { sealedHookToken } = operator.directory.connections.byId.get(id)!
  forget(operator, id)
  await started(operator)
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
  t.match(await operator.operate('connections list', place), {
    data: [
      {
        id,
        provider: 'made-up-bank',
        status: 'SUSPENDED',
        suspendedBecause: 'CREDENTIALS_LOST',
        settings: [{ name: 'pixKey' }],
      },
    ],
  })
  t.match(operator.facts.findLast(({ type }) => type === 'ConnectionRecovered')?.audit, {
    actor: { kind: 'CLOCK' },
    action: 'connections suspend',
    object: { id },
  })
  t.equal(operator.stopped.length, 1, 'people are to hear of it')
  const rails = openRailConnections({ ...operator.tools, directory: operator.directory })
  t.equal(rails.byConnection(id), null)
  t.match(await rails.health(id), { works: false, detail: /lost its credentials/ })
  t.strictSame(operator.faults, [], 'and it is no fault each half minute')
  for (const name of ['verify', 'resume'])
    t.match(await refusal(operator.operate(`connections ${name}`, { id })), {
      message: /credentials are lost: rotate it/,
    })
  const { pixKey, ...incomplete } = someSettings
  t.match(
    await refusal(operator.operate('connections rotate', { id, settings: { ...incomplete, pixKey: 'x' } })),
    { message: /another PIX key/ },
    'it is the connection that it was',
  )
  t.match(await operator.operate('connections rotate', { id, settings: incomplete }), {
    status: 'SUSPENDED',
    suspendedBecause: 'DATA_RESTORED',
    formerCredentialsUntil: null,
  })
  await operator.operate('connections resume', { id })
  t.strictSame(found(operator, id), { directory: 'ACTIVE', account: 'ACTIVE', takes: true })
  t.not(rails.byConnection(id), null)
  const made = operator.directory.connections.byId.get(id)!
  t.not(hookTokenOf(made, operator.masterKey), sealedHookToken)
  t.equal(hookTokenOf(made, operator.masterKey).length, 43)
})

t.test('it can be retired instead, and another one takes its place', async (t) => {
  const { operator, id } = await connected()
  forget(operator, id)
  await started(operator)
  await operator.operate('connections retire', { id })
  const next = await operator.operate('connections create', {
    ...place,
    provider: 'made-up-bank',
    settings: someSettings,
  })
  await operator.operate('connections verify', { id: next.id })
  await operator.operate('connections activate', { id: next.id })
  t.ok(found(operator, next.id as ConnectionId).takes)
  t.equal(found(operator, id).account, 'RETIRED')
})

t.test('one that was retired and forgotten stays retired, and nobody has to do anything', async (t) => {
  const { operator, id } = await connected()
  await operator.operate('connections retire', { id })
  forget(operator, id)
  await started(operator)
  t.strictSame(found(operator, id), { directory: 'RETIRED', account: 'RETIRED', takes: false })
})

t.test('accounts of other nodes are theirs to look at', async (t) => {
  const { operator, id } = await connected()
  forget(operator, id)
  openRails({ ...operator.railsOptions, ownership: async () => () => false }).applyMissing()
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
  t.equal(operator.directory.connections.byId.size, 0)
})

t.test('one whose activation is lost takes nothing, and still serves what came by it', async (t) => {
  const { operator, id, verified } = await connected()
  await restoredTo(operator, verified)
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
  t.match(await operator.operate('connections resume', { id }), { status: 'ACTIVE' })
  t.ok(found(operator, id).takes)
})

t.test('an account that was brought back to an earlier moment gets what the directory says', async (t) => {
  const { operator, id } = await connected()
  const atMs = operator.world.now()
  await operator.commit(() => ({ type: 'ConnectionSuspended', id, cause: 'REQUESTED', atMs }))
  const { revision } = operator.directory.connections.byId.get(id)!
  await operator.commit(() => ({ type: 'ConnectionApplied', id, revision, atMs }))
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'ACTIVE', takes: true })
  await started(operator)
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
})

t.test('an account that never had a suspended connection gets it whole', async (t) => {
  const { operator, id } = await (async () => {
    const operator = await newOperator()
    const { id } = await operator.operate('connections create', {
      ...place,
      provider: 'made-up-bank',
      settings: someSettings,
    })
    return { operator, id: id as ConnectionId }
  })()
  const atMs = operator.world.now()
  await operator.commit(() => ({ type: 'ConnectionActivated', id, atMs }))
  await operator.commit(() => ({ type: 'ConnectionSuspended', id, cause: 'REQUESTED', atMs }))
  await operator.commit(() => ({ type: 'ConnectionApplied', id, revision: 3, atMs }))
  await started(operator)
  t.match(liveState(operator.world).rails, [
    { connectionId: id, state: 'SUSPENDED', pixKey: someSettings.pixKey },
  ])
  t.strictSame(operator.faults, [])
})

t.test('where nothing was lost a start changes nothing', async (t) => {
  const { operator } = await connected()
  const before = [operator.facts.length, operator.world.journal.appended()]
  await started(operator)
  t.strictSame([operator.facts.length, operator.world.journal.appended()], before)
})

t.test('what the directory has stopped is stopped before a start takes anything new', async (t) => {
  const { operator, id } = await connected()
  const { directory, world } = operator
  const wasActive = liveState(world).rails!
  await operator.operate('connections suspend', { id })
  ;(liveState(world) as unknown as { rails: unknown }).rails = wasActive
  const { revision } = directory.connections.byId.get(id)!
  const atMs = world.now()
  await operator.commit(() => ({ type: 'ConnectionApplied', id, revision: revision - 1, atMs }))
  t.equal(found(operator, id).takes, true)
  await openRails(operator.railsOptions).stopFirst()
  t.strictSame(found(operator, id), { directory: 'SUSPENDED', account: 'SUSPENDED', takes: false })
})
