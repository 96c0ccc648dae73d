import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { Company } from '../../../engine/companies/company.ts'
import { companyIdOf } from '../../../engine/shared/ids.ts'
import { unsubscribeTokens } from '../../../gateway/identity/unsubscribe-token.ts'
import type { PayerMailReference } from '../../../gateway/mail/outbox.ts'
import { openPayerMails } from '../../../gateway/trail/payer-mails.ts'
import { aBoleto, aCancellation, account, opened, ours, type World } from '../../engine/world.ts'

const tokens = unsubscribeTokens(randomBytes(32))
const company = {
  id: companyIdOf(account),
  name: 'Loja <Azul>',
  tradeName: null,
  document: '11222333000181',
  email: null,
  timeZone: 'America/Sao_Paulo',
} as Company

/** The main thread of a node over the shard, and what it queued; `crashes` loses the next mail on its way to the queue. */
const newNode = (world: World) => {
  const queued: string[] = []
  const troubles: unknown[] = []
  const node = { crashes: false }
  const mails = openPayerMails({
    directory: { companies: new Map([[company.id, company]]) },
    router: { execute: world.execute, query: world.shard.query },
    queue: async (_: PayerMailReference, id: string) => {
      if (node.crashes) throw new Error('the node is gone')
      queued.push(id)
    },
    tokens,
    origin: () => 'https://pay.example.com',
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

t.test('a link of our making is one', async (t) => {
  const token = tokens.tokenOf(account, 'ana@example.com')
  t.equal(tokens.read(token.replace('SANDBOX', 'PRODUCTION')), null)
  t.equal(tokens.read(unsubscribeTokens(randomBytes(32)).tokenOf(account, 'ana@example.com')), null)
  t.equal(tokens.read(''), null)
})
