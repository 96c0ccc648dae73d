import t from 'tap'
import type { RegisterCustomer } from '../../../engine/customers/commands.ts'
import type { ListCustomers } from '../../../engine/customers/queries.ts'
import type { Answers } from '../../../engine/kernel/registry.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { Customer } from '../../../engine/shared/customer.ts'
import { readDocument } from '../../../engine/shared/documents.ts'
import { type AccountId, accountIdOf, type CompanyId, type CustomerId } from '../../../engine/shared/ids.ts'
import { registeredCustomer } from '../../../gateway/resources/payments/customer.ts'
import { noPayee } from '../../../gateway/resources/payments/fiscal.ts'
import { transaction } from '../../../gateway/resources/payments/transaction.ts'
import { aSeed, clockOf, scenario } from '../story.ts'
import {
  aBoleto,
  aCardPayment,
  aCharge,
  account,
  aPayer,
  connectedTo,
  key,
  opened,
  opening,
  ours,
  type World,
} from '../world.ts'

const today = { payee: noPayee } as never

const companyOf = (customer: Customer, document: string): Customer => ({
  ...customer,
  document,
  documentType: 'CNPJ',
})

let customers = 0
const aRegistration = (change: Partial<RegisterCustomer> = {}): RegisterCustomer => ({
  type: 'RegisterCustomer',
  ...ours,
  customerId: `cus_${String(++customers).padStart(26, '0')}` as CustomerId,
  customer: aPayer,
  externalId: null,
  metadata: {},
  ...change,
})

/** The register, newest first. */
const registerOf = (world: World, accountId: AccountId = account) =>
  world.memory.list(accountId, 'customer', { offset: 0, limit: 100 }).states

const listed = async (world: World, change: Partial<ListCustomers> = {}) => {
  const asked = world.shard.query({
    type: 'ListCustomers',
    accountId: account,
    document: null,
    email: null,
    externalId: null,
    search: null,
    page: 1,
    pageSize: 25,
    asOf: null,
    from: null,
    to: null,
    ...change,
  }) as Promise<Answers['ListCustomers']>
  await world.settle()
  return asked
}

const found = async (world: World, customerId: CustomerId, accountId: AccountId = account) => {
  const asked = world.shard.query({ type: 'FindCustomer', accountId, customerId }) as Promise<
    Answers['FindCustomer']
  >
  await world.settle()
  return asked
}

/** One charge of every method, for this payer. */
const chargesFor = (customer: Customer) => [
  aCharge({ customer }),
  aCardPayment({}, { customer }),
  aBoleto({}, { customer }),
  aSeed({ customer }),
]

t.test('a new document is registered in the entry of its charge, whatever the method', async (t) => {
  for (const command of chargesFor(aPayer)) {
    const world = await opened()
    const before = world.journal.appended()
    const charge = await world.accepted(command)
    const [registered] = registerOf(world)
    t.equal(charge.customerId, registered!.id)
    t.match(registered!.id, /^cus_[0-9A-Z]{26}$/)
    t.strictSame(charge.customer, aPayer, 'with the person as described on the charge')
    const { events } = world.journal.at(before + 1)
    t.strictSame(
      events.slice(0, 2).map(({ type }) => type),
      ['CustomerRegistered', command.type === 'SeedTransaction' ? 'TransactionSeeded' : 'ChargeCreated'],
    )
    t.strictSame(registeredCustomer.view(registered!), {
      id: registered!.id,
      object: 'customer',
      name: 'Ana Souza',
      document: '12345678909',
      documentType: 'CPF',
      email: 'ana@example.com',
      phone: null,
      address: null,
      externalId: null,
      metadata: {},
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    })
  }
})

t.test('a known document links to its entry and does not change it', async (t) => {
  const world = await opened()
  const first = await world.accepted(aCharge({ customer: aPayer }))
  const changed = { ...aPayer, name: 'Ana S. Lima', email: 'ana.lima@example.com', phone: '11987654321' }
  for (const command of chargesFor(changed)) {
    const charge = await world.accepted(command)
    t.equal(charge.customerId, first.customerId)
    t.strictSame(charge.customer, changed, 'the charge holds what it was given')
  }
  t.strictSame(
    registerOf(world).map(({ customer }) => customer),
    [aPayer],
  )
  t.match(transaction.view(world.transaction(first.id), today), {
    customerId: first.customerId,
    customer: { name: 'Ana Souza' },
  })
})

t.test('without a document nobody is registered', async (t) => {
  const world = await opened()
  const customer = { ...aPayer, document: null, documentType: null }
  for (const command of [aCharge({ customer }), aCardPayment({}, { customer }), aCharge()]) {
    const charge = await world.accepted(command)
    t.equal(charge.customerId, null)
    t.strictSame(charge.customer, command.customer)
  }
  t.strictSame(registerOf(world), [])
})

t.test('an entry of the register stands for the payer, as it is there', async (t) => {
  const world = await opened()
  const { customerId } = aRegistration()
  const customer = { ...aPayer, name: 'Bruno Reis', document: null, documentType: null }
  await world.execute(aRegistration({ customerId, customer }))
  const charge = await world.accepted(aCharge({ customerId }))
  t.equal(charge.customerId, customerId)
  t.strictSame(charge.customer, customer)
  t.equal(
    await world.refused(aBoleto({}, { customer: null, customerId })),
    'CUSTOMER_DOCUMENT_REQUIRED',
    'a boleto needs one with a document',
  )
  const other = aRegistration()
  await world.execute(other)
  const boleto = await world.accepted(aBoleto({}, { customer: null, customerId: other.customerId }))
  t.match(boleto, { customerId: other.customerId, customer: aPayer })
  t.equal(registerOf(world).length, 2)
})

t.test('an id that is not in the register is refused, and so is one of another company', async (t) => {
  const world = await opened()
  const accountId = accountIdOf('cmp_00000000000000000000000002' as CompanyId, 'SANDBOX')
  await world.execute({ type: 'OpenAccount', accountId, by: key, profile: world.account().profile })
  const theirs = aRegistration({ accountId })
  await world.execute(theirs)
  const ids = ['cus_nobody' as CustomerId, theirs.customerId]
  for (const customerId of ids) {
    const reply = await world.execute(aCharge({ customerId }))
    t.strictSame(reply, {
      accepted: false,
      rejection: { reason: 'REFERENCE_NOT_FOUND', field: 'customerId' },
    })
  }
  t.equal(await found(world, theirs.customerId), null)
  t.match(await found(world, theirs.customerId, accountId), { id: theirs.customerId })
  const ourPayer = await world.accepted(aCharge({ customer: aPayer }))
  t.not(ourPayer.customerId, theirs.customerId, 'their entry of the same document is not ours')
  t.equal((await listed(world)).total, 1)
})

t.test('Sandbox and Production have a register each', async (t) => {
  const world = await opened(undefined, undefined, [], connectedTo('PIX'))
  const live = accountIdOf(world.account().profile.companyId, 'PRODUCTION')
  const profile = { ...world.account().profile, environment: 'PRODUCTION' } as const
  await world.execute({ type: 'OpenAccount', accountId: live, by: key, profile })
  const test = await world.accepted(aCharge({ customer: aPayer }))
  const real = aCharge({ customer: aPayer, accountId: live })
  await world.accepted(real)
  t.equal(registerOf(world).length, 1)
  t.equal(registerOf(world, live).length, 1)
  t.equal(
    await world.refused(aCharge({ accountId: live, customerId: test.customerId })),
    'REFERENCE_NOT_FOUND',
  )
})

t.test('an alphanumeric CNPJ is a document like any other', async (t) => {
  const world = await opened()
  const { document, documentType } = readDocument('12.abc.345/01de-35')!
  t.strictSame([document, documentType], ['12ABC34501DE35', 'CNPJ'])
  const first = await world.accepted(aCharge({ customer: companyOf(aPayer, document) }))
  const again = await world.accepted(aBoleto({}, { customer: companyOf(aPayer, document) }))
  t.equal(again.customerId, first.customerId)
  t.match(registeredCustomer.view(registerOf(world)[0]!), {
    document: '12ABC34501DE35',
    documentType: 'CNPJ',
  })
  t.equal((await listed(world, { document })).total, 1)
})

t.test('a register may have two entries of one document: a charge links to the first', async (t) => {
  const world = await opened()
  const first = aRegistration({ externalId: 'a' })
  const second = aRegistration({ externalId: 'b' })
  await world.execute(first)
  world.pass(1)
  await world.execute(second)
  t.equal(registerOf(world).length, 2, 'registering always makes a new entry')
  const charge = await world.accepted(aCharge({ customer: aPayer }))
  t.equal(charge.customerId, first.customerId)
  const wanted = await world.accepted(aCharge({ customerId: second.customerId }))
  t.equal(wanted.customerId, second.customerId)
})

t.test('a charge that is refused registers nobody; one that fails at the bank does', async (t) => {
  const world = await opened()
  await world.refused(aBoleto({ dueDate: '2026-11-19' as never }))
  t.strictSame(registerOf(world), [])
  const failed = await world.accepted(aBoleto({}, scenario('provider_error')))
  t.equal(failed.status, 'FAILED')
  t.equal(registerOf(world)[0]!.id, failed.customerId)
})

t.test('two charges at once for a new document share one entry', async (t) => {
  const world = await opened()
  const replies = [aCharge({ customer: aPayer }), aCharge({ customer: aPayer })].map((command) =>
    world.shard.execute(command),
  )
  await world.settle()
  const [a, b] = (await Promise.all(replies)).map((reply) => (reply as any).state as Transaction)
  t.equal(a!.customerId, b!.customerId)
  t.equal(registerOf(world).length, 1)
})

t.test('an entry is registered and shown as it was sent, by the clock of the environment', async (t) => {
  const world = await opened()
  await world.advance('P1M')
  const command = aRegistration({ externalId: 'client-7', metadata: { tier: 'gold', since: 2019 } })
  const reply = await world.execute(command)
  t.match(reply, { accepted: true, state: { id: command.customerId } })
  const entry = await found(world, command.customerId)
  t.match(registeredCustomer.view(entry!), {
    id: command.customerId,
    externalId: 'client-7',
    metadata: { tier: 'gold', since: 2019 },
    createdAt: '2026-12-20T12:00:00.000Z',
  })
  t.equal(entry!.createdAtMs, clockOf(world))
})

t.test('the list is newest first, in pages, and finds by what is known of a payer', async (t) => {
  const world = await opened()
  const names = ['Ana Souza', 'José da Silva', 'Zoë Müller', 'Empresa Ltda']
  const documents = ['12345678909', '52998224725', null, '12ABC34501DE35']
  for (const [n, name] of names.entries()) {
    const document = documents[n]!
    const documentType = document === null ? null : document.length === 11 ? 'CPF' : 'CNPJ'
    const customer = {
      name,
      document,
      documentType,
      email: `${n}@example.com`,
      phone: `1198765432${n}`,
      address: null,
    }
    await world.execute(aRegistration({ customer: customer as Customer, externalId: `client-${n}` }))
    await world.advance('P1D')
  }
  const namesOf = async (change: Partial<ListCustomers>) =>
    (await listed(world, change)).rows.map(({ customer }) => customer.name)
  const newestFirst = [...names].reverse()
  t.strictSame(await namesOf({}), newestFirst)
  const first = await listed(world, { pageSize: 3 })
  t.equal(first.total, 4)
  await world.execute(aRegistration())
  t.strictSame(await namesOf({ page: 2, pageSize: 3, asOf: first.asOf }), newestFirst.slice(3))
  t.strictSame(await namesOf({ document: '52998224725' }), ['José da Silva'])
  t.strictSame(await namesOf({ email: '2@example.com' }), ['Zoë Müller'])
  t.strictSame(await namesOf({ externalId: 'client-3' }), ['Empresa Ltda'])
  t.strictSame(await namesOf({ search: 'jose' }), ['José da Silva'], 'without accents and capitals')
  t.strictSame(await namesOf({ search: 'MULLER' }), ['Zoë Müller'])
  t.strictSame(await namesOf({ search: '12ABC34501DE35' }), ['Empresa Ltda'])
  t.strictSame(await namesOf({ search: '2@example' }), ['Zoë Müller'])
  t.strictSame(await namesOf({ search: 'client-1' }), ['José da Silva'])
  t.strictSame(await namesOf({ search: 'lient-1' }), [], 'ids are found whole')
  t.strictSame(await namesOf({ from: '2026-11-21' as never, to: '2026-11-22' as never }), [
    'Zoë Müller',
    'José da Silva',
  ])
  t.strictSame(await namesOf({ document: '52998224725', email: '2@example.com' }), [])
})

t.test('a cleared Sandbox forgets the register, and a document in it is new again', async (t) => {
  const world = await opened()
  const { customerId } = await world.accepted(aCharge({ customer: aPayer }))
  const accountId = accountIdOf('cmp_00000000000000000000000002' as CompanyId, 'SANDBOX')
  await world.execute({ type: 'OpenAccount', accountId, by: key, profile: world.account().profile })
  const theirs = aCharge({ customer: aPayer, accountId })
  await world.accepted(theirs)
  await world.execute({ type: 'ClearSandbox', ...ours })
  t.equal(await found(world, customerId!), null)
  t.equal((await listed(world)).total, 0)
  t.equal(await world.refused(aCharge({ customerId })), 'REFERENCE_NOT_FOUND')
  const again = await world.accepted(aCharge({ customer: aPayer }))
  t.not(again.customerId, customerId)
  t.equal(registerOf(world).length, 1)
  const stillTheirs = await world.accepted(aCharge({ customer: aPayer, accountId }))
  t.equal(stillTheirs.customerId, registerOf(world, accountId)[0]!.id, 'another company keeps its own')
  t.equal(registerOf(world, accountId).length, 1)
})

t.test('a charge of a company that forgets payers leaves none in the register', async (t) => {
  const world = await opened()
  const known = await world.accepted(aCharge({ customer: aPayer }))
  t.equal(registerOf(world).length, 1)
  const profile = { ...opening.profile, revision: 2, registersPayers: false } as const
  await world.execute({ ...opening, profile })
  const other = companyOf(aPayer, '11222333000181')
  t.match(await world.accepted(aCharge({ customer: other })), { customer: other, customerId: null })
  t.match(await world.accepted(aCharge({ customer: aPayer })), { customerId: known.customerId })
  t.equal(registerOf(world).length, 1)
  await world.execute(aRegistration({ customer: other }))
  t.equal(registerOf(world).length, 2, 'but by hand')
})
