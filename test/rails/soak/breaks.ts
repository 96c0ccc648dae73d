import type { FaultAction } from '../api-pix/faults.ts'
import type { SoakShop } from './soak-shop.ts'

/** Has something fail at the shop's bank, or mends everything there. */
export const breakSomething = ({ bank: { bank }, dice }: SoakShop): void => {
  const { faults, payments, sends } = bank
  const times = 1 + dice.below(4)
  switch (dice.below(8)) {
    case 0:
    case 1:
      faults.clear()
      payments.setReturns(byItself)
      sends.set({ settleAfterMs: 1_000, error: null })
      return
    case 2:
      faults.addNotice(
        [
          { kind: 'lose' as const, times },
          { kind: 'repeat' as const, copies: 2 + dice.below(8), times },
          { kind: 'delay' as const, ms: dice.below(90_000), times },
        ][dice.below(3)]!,
      )
      return
    case 3:
      faults.setConnections((['silent', 'refused', 'open'] as const)[dice.below(3)]!)
      return
    case 4:
      if (dice.oneIn(2))
        payments.setReturns(dice.oneIn(3) ? { ...byItself, refusal: 'a conta foi encerrada' } : byHour)
      else sends.set({ settleAfterMs: dice.below(1_000_000), error: dice.oneIn(3) ? closed : null })
      return
    default: {
      const [verb, path] = requests[dice.below(requests.length)]!
      const when = dice.oneIn(2) ? 'before' : 'after'
      const does: readonly FaultAction[] = [
        { kind: 'cut', when },
        { kind: 'cut', when: 'within' },
        { kind: 'silence', when },
        { kind: 'error', when, status: 500 },
        { kind: 'error', when: 'before', status: 429, retryAfterSeconds: 1 + dice.below(30) },
        { kind: 'text', when, status: 502, body: '<html>bad gateway</html>' },
        { kind: 'delay', when, ms: dice.below(15_000) },
        ...(path === '/cob' ? [{ kind: 'change' as const, set: { 'valor.original': '99.99' } }] : []),
      ]
      faults.add({ verb, path, times, does: does[dice.below(does.length)]! })
    }
  }
}

/** Mends everything for good. */
export const mendAll = ({ bank: { bank } }: Pick<SoakShop, 'bank'>): void => {
  bank.faults.clear()
  bank.payments.setReturns(byItself)
  bank.sends.set({ settleAfterMs: 1_000, error: null })
}

const byItself = { settleAfterMs: 1_000, refusal: null }
const byHour = { settleAfterMs: 3_600_000, refusal: null }
const closed = { codigo: 'AC07', motivo: 'Conta encerrada' }

const requests: readonly (readonly [string, string])[] = [
  ['PUT', '/cob'],
  ['PATCH', '/cob'],
  ['GET', '/cob'],
  ['PUT', '/devolucao/'],
  ['GET', '/pix'],
  ['POST', 'token'],
  ['POST', '/rec'],
  ['PATCH', '/rec/'],
  ['GET', '/rec'],
  ['PUT', '/cobr/'],
  ['POST', '/retentativa/'],
  ['PUT', '/v3/gn/pix/'],
  ['GET', '/v2/gn/'],
  ['POST', '/defesa'],
  ['POST', '/banking/v2/pix'],
  ['GET', '/banking/v2/pix'],
]
