import { lostOf, truthOf } from '../declared.ts'
import { anyOf, atBank, type SoakShop } from './soak-shop.ts'

/** Somebody's bank opens a MED, or decides one; or the company answers it. */
export const actOnMed = async (shop: SoakShop): Promise<string> => {
  const { dice, bank, sign, charges } = shop
  const { meds } = bank.bank
  const open = meds.all().filter(({ status }) => status === 'ABERTA' || status === 'EM_DEFESA')
  if (open.length === 0 || dice.oneIn(4)) {
    const pix = bank.bank.payments.of(anyOf(shop, charges)!.txid)[0]
    if (pix === undefined) return 'no MED'
    const valor = dice.oneIn(3) ? { valor: '0.50' } : {}
    return atBank(shop, 'POST /meds', { endToEndId: pix.endToEndId, ...valor }, 'MED')
  }
  if (dice.oneIn(2)) {
    const { body } = await sign('GET', '/v1/meds?status=OPEN')
    const med: any = anyOf(shop, body.data)
    if (med === undefined) return 'no MED is open here'
    return `defence ${(await sign('POST', `/v1/meds/${med.id}/defend`, { text: proof })).status}`
  }
  const { id } = anyOf(shop, open)!
  const status = ['ACEITA', 'ACEITA', 'REJEITADA', 'CANCELADA_EFI'][dice.below(4)]!
  return atBank(shop, 'POST /meds/close', { id, status }, `MED ${status}`)
}

const proof = 'The order was collected by the payer, who signed for it.'

/** A person sends money, or decides about money in suspense; or what was sent comes back. */
export const actOfPeople = async (shop: SoakShop): Promise<string> => {
  const { dice, bank, sign, beneficiaryId } = shop
  if (dice.oneIn(3)) return actOnSuspense(shop)
  if (dice.oneIn(6)) return actOnLost(shop)
  if (dice.oneIn(4)) {
    const sent = anyOf(
      shop,
      bank.bank.sends.all().filter(({ status }) => status === 'REALIZADO'),
    )
    if (sent === undefined || bank.bank.context.profile.sends !== 'EFI') return 'nothing comes back'
    const valor = `${dice.below(3)}.${10 + dice.below(90)}`
    return atBank(
      shop,
      'POST /sends/give-back',
      { reference: sent.reference, valor },
      'money that comes back',
    )
  }
  const { status } = await sign(
    'POST',
    '/v1/transfers',
    { kind: 'PIX', amount: 100 + dice.below(3_000), beneficiaryId },
    { 'Idempotency-Key': `soak-${dice.below(1e9)}` },
  )
  return `transfer ${status}`
}

/** A person says what became of a transfer whose bank is asked no more, or of a payout; at times without looking. */
const actOnLost = async (shop: SoakShop): Promise<string> => {
  const { dice, sign, colleague } = shop
  const one = anyOf(shop, await lostOf(shop))
  if (one === undefined) return 'nothing is lost'
  const said = dice.oneIn(4) ? { outcome: 'NOT_SENT', reason: 'a guess' } : truthOf(shop, one.of)
  return `declare ${(await (dice.oneIn(2) ? sign : colleague)('POST', one.path, said)).status}`
}

const actOnSuspense = async (shop: SoakShop): Promise<string> => {
  const { dice, sign } = shop
  const { body } = await sign('GET', '/v1/suspense?status=OPEN')
  const item: any = anyOf(shop, body.data)
  if (item === undefined) return 'nothing in suspense'
  const what = dice.oneIn(2) ? 'return' : 'assign'
  return `${what} ${(await sign('POST', `/v1/suspense/${item.id}/${what}`, {})).status}`
}
