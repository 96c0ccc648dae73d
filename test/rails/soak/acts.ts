import { addDays, dayOf } from '../days.ts'
import { actOnMandate } from './mandate-acts.ts'
import { actOfPeople, actOnMed } from './people-acts.ts'
import { anyOf, atBank, type SoakShop } from './soak-shop.ts'

/** Does one thing that a merchant, a payer, or a person at the company or at the bank does. */
export const act = (shop: SoakShop): Promise<string> => {
  const { dice, charges } = shop
  const roll = charges.length === 0 ? 0 : dice.below(20)
  if (roll < 11) return actOnCharge(shop, roll)
  if (roll < 13) return actInApp(shop)
  if (roll < 16) return actOnMandate(shop)
  if (roll < 18) return actOnMed(shop)
  return actOfPeople(shop)
}

const actOnCharge = async (shop: SoakShop, roll: number): Promise<string> => {
  const { dice, bank, call, charges, splitRuleId } = shop
  if (roll > 3) {
    const { id, txid } = anyOf(shop, charges)!
    if (roll < 7) return atBank(shop, 'POST /pay', { txid }, 'payment')
    if (roll === 7) return atBank(shop, 'POST /pay', { txid, force: true }, 'forced payment')
    if (roll === 8) {
      const valor = `${1 + dice.below(30)}.${10 + dice.below(90)}`
      return atBank(shop, 'POST /pay', { txid, valor }, 'payment of another amount')
    }
    if (roll === 9) return `cancel ${(await call('POST', `/v1/pix/charges/${id}/cancel`, {})).status}`
    const amount = String(1 + dice.below(2_000))
    return `refund ${(await call('POST', `/v1/transactions/${id}/refund`, { amount })).status}`
  }
  const isDue = dice.oneIn(4)
  const { status, body } = await call(
    'POST',
    '/v1/pix/charges',
    {
      amount: 100 + dice.below(5_000),
      ...(splitRuleId !== null && dice.oneIn(4) && { splitRuleId }),
      ...(isDue
        ? { dueDate: addDays(dayOf(bank.clock.nowMs()), 1 + dice.below(3)), customer }
        : { expiresInSeconds: 60 + dice.below(600) }),
    },
    { 'Idempotency-Key': `soak-${dice.below(1e9)}` },
  )
  if (status === 201) charges.push({ id: body.id, txid: body.pix.txid })
  return `charge ${status}`
}

const customer = { name: 'Maria da Silva', document: '52998224725' }

/** In the bank's app, or by another program at the same account. */
const actInApp = async (shop: SoakShop): Promise<string> => {
  const { dice, bank, call, charges, foreign } = shop
  if (dice.oneIn(3)) {
    const valor = `${1 + dice.below(50)}.00`
    return atBank(shop, 'POST /pay', { chave: bank.receiver.chaves[0], valor }, 'PIX to the key')
  }
  if (dice.oneIn(3)) {
    const txid = `outro${String(foreign.size).padStart(27, '0')}`
    bank.bank.charges.put('cob', txid, {
      calendario: { expiracao: 3_600 },
      valor: { original: `${1 + dice.below(40)}.50` },
      chave: bank.receiver.chaves[0],
    })
    foreign.add(txid)
    return atBank(shop, 'POST /pay', { txid }, 'payment of a foreign charge')
  }
  const one = anyOf(shop, charges)!
  const { body } = await call('GET', `/v1/pix/charges/${one.id}`)
  if (body.status !== 'APPROVED') return 'nothing to return'
  const cents = 1 + dice.below(Number(body.amount))
  return atBank(shop, 'POST /returns', { endToEndId: body.pix.endToEndId, cents }, 'return in the app')
}
