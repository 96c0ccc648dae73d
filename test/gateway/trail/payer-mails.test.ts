import { randomBytes } from 'node:crypto'
import t from 'tap'
import { plainBranding } from '../../../engine/companies/checkout-branding.ts'
import type { Company } from '../../../engine/companies/company.ts'
import { type CustomerId, companyIdOf, type PortalSessionId } from '../../../engine/shared/ids.ts'
import { unsubscribeTokens } from '../../../gateway/identity/unsubscribe-token.ts'
import type { MailReference } from '../../../gateway/mail/outbox.ts'
import { openPayerMails } from '../../../gateway/trail/payer-mails.ts'
import { aSubscription, byPix, planned } from '../../engine/billing/subscription/subscribing.ts'
import { aBoleto, aCancellation, account, aPayer, opened, ours, type World } from '../../engine/world.ts'
import { noPages } from '../no-pages.ts'

const tokens = unsubscribeTokens(randomBytes(32))
const company = {
  id: companyIdOf(account),
  name: 'Loja <Azul>',
  tradeName: null,
  document: '11222333000181',
  email: null,
  timeZone: 'America/Sao_Paulo',
  checkout: plainBranding,
} as Company

/** The main thread of a node over the shard, and what it queued; `crashes` loses the next mail on its way to the queue. */
const newNode = (world: World) => {
  const queued: string[] = []
  const troubles: unknown[] = []
  const node = { crashes: false }
  const mails = openPayerMails({
    directory: { companies: new Map([[company.id, company]]) },
    router: { execute: world.execute, query: world.shard.query },
    queue: async (_: MailReference, id: string) => {
      if (node.crashes) throw new Error('the node is gone')
      queued.push(id)
    },
    tokens,
    origin: () => 'https://pay.example.com',
    pagesOf: noPages,
    onTrouble: (error) => void troubles.push(error),
  })
  return { ...mails, node, queued, troubles }
}

const reminded = async (world: World) => {
  await world.execute({ type: 'SetReminders', ...ours, plan: { days: [-3], language: 'pt' } })
  const boleto = await world.accepted(aBoleto())
  await world.advance('P7D')
  return { boleto, mail: world.memory.lookup('payerMail', account, boleto.id)[0]!.state }
}

t.test('of two nodes one queues a reminder', async (t) => {
  const world = await opened()
  const { mail } = await reminded(world)
  const [a, b] = [newNode(world), newNode(world)]
  await Promise.all([a.queueMails(account), b.queueMails(account)])
  t.strictSame([...a.queued, ...b.queued], [`${mail.id}.1`])
  await a.queueMails(account)
  t.equal(a.queued.length + b.queued.length, 1)
})

t.test('a crash loses a reminder rather than sending two, and repeats what was asked for', async (t) => {
  const world = await opened()
  const { boleto, mail } = await reminded(world)
  const dying = newNode(world)
  dying.node.crashes = true
  await dying.queueMails(account)
  t.equal(dying.troubles.length, 1)
  const next = newNode(world)
  await next.queueMails(account)
  t.strictSame(next.queued, [], 'the reminder may have been queued')

  await world.accepted({ type: 'SendCharge', ...ours, transactionId: boleto.id, language: 'pt' })
  await dying.queueMails(account)
  await next.queueMails(account)
  t.strictSame(next.queued, [`${mail.id}.2`])
})

t.test('who unsubscribed gets no reminder, and what was paid or cancelled is not written', async (t) => {
  const world = await opened()
  const { boleto, mail } = await reminded(world)
  const read = tokens.read(tokens.tokenOf(account, 'Ana@example.com'))!
  t.strictSame(read, { accountId: account, addressHash: tokens.addressHashOf(account, 'ana@example.com') })
  await world.execute({ type: 'Unsubscribe', by: { kind: 'PAYER', id: null }, ...read })
  const node = newNode(world)
  await node.queueMails(account)
  t.strictSame(node.queued, [])
  t.match(world.memory.lookup('payerMail', account, boleto.id)[0]!.state.mails, [{ status: 'UNSUBSCRIBED' }])
  t.notMatch(world.transaction(boleto.id).timeline.at(-1), { type: 'ChargeSent' })

  const reference = { accountId: account, payerMailId: mail.id, number: 1 }
  const written = (await node.write(reference))!
  t.match(written, { to: 'ana@example.com', subject: /^\[Sandbox\] Lembrete: / })
  t.match(written.html, 'Loja &lt;Azul&gt;')
  t.match(written.unsubscribeUrl, /^https:\/\/pay\.example\.com\/descadastro\/cmp_/)
  t.notMatch(written.unsubscribeUrl, /ana/i, 'a link holds no address')
  await world.execute(aCancellation(boleto.id))
  t.equal(await node.write(reference), null)
})

t.test(
  'a link to the portal is queued once, whatever dies, and is not written once it was used',
  async (t) => {
    const world = await opened()
    const customerId = 'cus_00000000000000000000000001' as CustomerId
    const registered = { customer: aPayer, externalId: null, metadata: {} }
    await world.accepted({ type: 'RegisterCustomer', ...ours, customerId, ...registered })
    const { id: planId } = await planned(world)
    await world.accepted(aSubscription(planId, { customerId, customer: null, ...byPix }))
    const ids = [1, 2].map((n) => `ptl_${String(n).padStart(26, '0')}` as PortalSessionId)
    const portals = ids.map((id) => ({ id, tokenHash: `hash of ${id}` }))
    const ask = { type: 'MailPortals', ...ours, email: 'ANA@example.com', language: 'en', portals } as const
    await world.execute(ask)

    const dying = newNode(world)
    dying.node.crashes = true
    await dying.queueMails(account)
    const [next, other] = [newNode(world), newNode(world)]
    await next.queueMails(account)
    await other.queueMails(account)
    t.strictSame([...next.queued, ...other.queued], [ids[0]], 'one customer has this address')

    const reference = { accountId: account, portalSessionId: ids[0]! }
    t.match(await next.write(reference), {
      to: 'ana@example.com',
      subject: '[Sandbox] Your subscriptions at Loja <Azul>',
      text: new RegExp(`http://pay.test/p/${ids[0]}`),
      html: /Loja &lt;Azul&gt;/,
    })
    const entered = { id: ids[1]!, tokenHash: 'entered' }
    const enter = { type: 'EnterPortal', ...ours, portalSessionId: ids[0]!, entered } as const
    t.equal((await world.execute(enter)).accepted, true)
    t.equal(await next.write(reference), null)
    t.match(await world.execute({ ...enter, entered: { ...entered, id: ids[0]! } }), { accepted: false })
  },
)

t.test('a link of our making is one', async (t) => {
  const token = tokens.tokenOf(account, 'ana@example.com')
  t.equal(tokens.read(token.replace('SANDBOX', 'PRODUCTION')), null)
  t.equal(tokens.read(unsubscribeTokens(randomBytes(32)).tokenOf(account, 'ana@example.com')), null)
  t.equal(tokens.read(''), null)
})
