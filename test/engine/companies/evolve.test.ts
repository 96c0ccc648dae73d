import t from 'tap'
import { plainBranding } from '../../../engine/companies/checkout-branding.ts'
import { type DirectoryFact, isAdmitted, shardBalanced } from '../../../engine/companies/directory.ts'
import { receives } from '../../../engine/companies/endpoint.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { defaultFees } from '../../../engine/ledger/fees.ts'
import { noCardLimits } from '../../../engine/shared/card-limits.ts'
import { aCompany, aKey, anEndpoint } from './entries.ts'

const made = (...events: readonly DirectoryFact[]) => events.reduce(evolveDirectory, newDirectory())

const company = aCompany()
const created = { type: 'CompanyCreated', company } as const
const keyCreated = { type: 'KeyCreated', key: aKey(1) } as const
const endpointCreated = { type: 'EndpointCreated', endpoint: anEndpoint() } as const
const { id } = company
const endpointId = anEndpoint().id

t.test('a change of a company leaves what it does not name, and makes a revision', async (t) => {
  const fees = { ...defaultFees, pixBps: 50 }
  const { companies } = made(
    created,
    { type: 'CompanyChanged', id, changes: { name: 'Loja Verde', fees }, atMs: 5 },
    { type: 'CompanyChanged', id, changes: { city: 'Olinda' }, atMs: 6 },
  )
  t.strictSame(companies.get(id), {
    ...company,
    name: 'Loja Verde',
    city: 'Olinda',
    fees,
    revision: 3,
    updatedAtMs: 6,
  })
  t.equal(company.name, 'Loja Azul', 'who has the entry of before keeps it')
})

t.test('a company that was stored before pages had a branding has the plain one', async (t) => {
  const { checkout, ...before } = company
  const { companies } = made({ type: 'CompanyCreated', company: before as typeof company })
  t.strictSame(companies.get(id)!.checkout, plainBranding)
  const accent = '#1f7a5a'
  const { cardLimits, ...withoutLimits } = checkout
  const changes = { checkout: { ...withoutLimits, accent } as typeof checkout }
  t.match(made(created, { type: 'CompanyChanged', id, changes, atMs: 5 }).companies.get(id), {
    checkout: { accent, portal: plainBranding.portal, cardLimits: noCardLimits },
    revision: 2,
  })
})

t.test(
  'a suspended company is no other revision, and its keys are let in again when it is resumed',
  async (t) => {
    const suspended = { type: 'CompanySuspended', id, atMs: 5 } as const
    const directory = made(created, keyCreated, suspended)
    t.match(directory.companies.get(id), { suspendedAtMs: 5, revision: 1 })
    t.notOk(isAdmitted(directory, aKey(1), 6))
    t.ok(
      isAdmitted(made(created, keyCreated, suspended, { type: 'CompanyResumed', id, atMs: 7 }), aKey(1), 8),
    )
    t.notOk(isAdmitted(newDirectory(), aKey(1), 8), 'a key of no company')
  },
)

t.test('K8: a rolled key is let in until its overlap is over, its successor from the start', async (t) => {
  const rolled = { type: 'KeyRolled', id: aKey(1).id, key: aKey(2), expiresAtMs: 100 } as const
  const directory = made(created, keyCreated, rolled)
  const [old, next] = [...directory.keys.values()]
  t.match(old, { id: aKey(1).id, expiresAtMs: 100, rolledTo: aKey(2).id })
  t.strictSame(next, aKey(2))
  t.ok(isAdmitted(directory, old!, 99))
  t.notOk(isAdmitted(directory, old!, 100))
  t.ok(isAdmitted(directory, next!, 100))
  const revoked = made(created, keyCreated, rolled, { type: 'KeyRevoked', id: aKey(1).id, atMs: 50 })
  t.notOk(isAdmitted(revoked, revoked.keys.get(aKey(1).id)!, 60), 'the overlap can be cut short')
})

t.test('an endpoint hears what happens while it is enabled, and nothing once it is deleted', async (t) => {
  const steps: DirectoryFact[] = [created, endpointCreated]
  const heard = (...entries: readonly number[]) => {
    const endpoint = made(...steps).endpoints.get(endpointId)!
    return entries.filter((sequence) => receives(endpoint, sequence))
  }
  t.strictSame(heard(1, 10), [1, 10])
  t.notOk(made(...steps).endpoints.get(endpointId)!.wasSilenced)
  steps.push({ type: 'EndpointDisabled', id: endpointId, atMs: 20 })
  t.strictSame(heard(10, 30), [])
  steps.push({ type: 'EndpointEnabled', id: endpointId, atMs: 15, hearsAfter: 40 })
  t.strictSame(heard(10, 40, 41), [41], 'nothing from before it was enabled, whatever the clocks say')
  t.ok(made(...steps).endpoints.get(endpointId)!.wasSilenced)
  steps.push({ type: 'EndpointDeleted', id: endpointId, atMs: 50 })
  t.strictSame(heard(10, 40, 60), [])
  t.match(made(...steps).endpoints.get(endpointId), { deletedAtMs: 50 }, 'its deliveries name it')
})

t.test('a change of an endpoint is a new entry: who has opened its secret opens the new one', async (t) => {
  const before = made(created, endpointCreated).endpoints.get(endpointId)
  const changes = { url: 'https://example.com/other', description: 'orders', sealedSecret: 'other' }
  const after = made(created, endpointCreated, { type: 'EndpointChanged', id: endpointId, changes, atMs: 9 })
  t.strictSame(after.endpoints.get(endpointId), { ...before, ...changes, updatedAtMs: 9 })
})

t.test('how far the accounts know a company is what was said last', async (t) => {
  const opened = (revision: number) => ({ type: 'AccountsOpened', companyId: id, revision }) as const
  t.equal(made(created, opened(1), opened(2)).opened.get(id), 2)
})

t.test('what was never created cannot change', async (t) => {
  t.throws(() => made({ type: 'CompanySuspended', id, atMs: 1 }), /was created before it is changed/)
})

t.test(
  'a shard that was moved stays there until it moves elsewhere or an operator says where it is',
  async (t) => {
    const moved = (shard: number, node: string): DirectoryFact => ({ type: 'ShardBalanced', shard, node })
    const pinned = (shard: number, node: string | null): DirectoryFact => ({
      type: 'ShardPinned',
      shard,
      node,
    })
    const placesAfter = (...facts: readonly DirectoryFact[]) => {
      const { pins, moves } = made(...facts)
      return { pins: [...pins], number: moves.number, nodes: [...moves.nodes] }
    }
    t.strictSame(placesAfter(moved(3, 'a'), moved(1, 'b'), moved(3, 'c')), {
      pins: [],
      number: 3,
      nodes: [
        [3, 'c'],
        [1, 'b'],
      ],
    })
    t.strictSame(placesAfter(moved(3, 'a'), pinned(3, 'b')), { pins: [[3, 'b']], number: 2, nodes: [] })
    t.strictSame(placesAfter(moved(3, 'a'), pinned(3, null)), { pins: [], number: 2, nodes: [] })
    const before = made(moved(3, 'a'))
    const { moves } = before
    evolveDirectory(before, moved(3, 'b'))
    t.strictSame([...moves.nodes], [[3, 'a']], 'who has what was there before keeps it')
  },
)

t.test(
  'of two nodes that move a shard at once, or while an operator pins one, one comes too late',
  async (t) => {
    const directory = newDirectory()
    const decided = { number: directory.moves.number, shard: 1, node: 'b' }
    const fact = shardBalanced(directory, decided)!
    evolveDirectory(directory, fact)
    t.equal(shardBalanced(directory, { ...decided, shard: 2, node: 'c' }), null)
    t.equal(shardBalanced(directory, decided), null, 'nor twice')
    const { number } = directory.moves
    evolveDirectory(directory, { type: 'ShardPinned', shard: 2, node: 'a' })
    t.equal(shardBalanced(directory, { ...decided, number }), null)
    t.match(shardBalanced(directory, { ...decided, number: number + 1 }), { shard: 1, node: 'b' })
  },
)
