import { addDays, businessDayFrom, daysBetween } from '../days.ts'
import { toCents, toValor } from '../money.ts'

/** What a charge with a due date costs on a day, piece by piece in centavos. */
export type DueAmount = {
  readonly original: number
  readonly multa: number
  readonly juros: number
  readonly abatimento: number
  readonly desconto: number
  readonly total: number
}

/** The last day on which it can be paid: both the due date and the last day move to the next business day. */
export const lastPayableDay = (calendario: {
  readonly dataDeVencimento: string
  readonly validadeAposVencimento: number
}): string =>
  businessDayFrom(addDays(businessDayFrom(calendario.dataDeVencimento), calendario.validadeAposVencimento))

/** Banks round interest in three ways; this one rounds the whole of it half up. */
export const amountOn = (valor: any, dueDate: string, day: string): DueAmount => {
  const original = toCents(valor.original)
  const abatimento = portion(valor.abatimento, original)
  const base = original - abatimento
  const isLate = day > businessDayFrom(dueDate)
  const late = isLate ? daysBetween(dueDate, day) : 0
  const multa = isLate ? portion(valor.multa, base) : 0
  const juros =
    isLate && valor.juros !== undefined ? interest(valor.juros, base, late, businessDays(dueDate, day)) : 0
  const desconto = isLate || valor.desconto === undefined ? 0 : discount(valor.desconto, base, dueDate, day)
  return { original, multa, juros, abatimento, desconto, total: base + multa + juros - desconto }
}

/** The pieces as a PIX shows them: those that are not zero. */
export const componentsOf = ({ original, multa, juros, abatimento, desconto }: DueAmount) =>
  Object.fromEntries(
    Object.entries({ original, juros, multa, abatimento, desconto })
      .filter(([name, cents]) => name === 'original' || cents > 0)
      .map(([name, cents]) => [name, { valor: toValor(cents) }]),
  )

/** Mode 1 is an amount, mode 2 a percentage. */
const portion = (of: { modalidade: number; valorPerc: string } | undefined, base: number): number => {
  if (of === undefined) return 0
  return of.modalidade === 1 ? toCents(of.valorPerc) : percent(base, of.valorPerc, 1)
}

const percent = (base: number, perc: string, times: number): number =>
  Math.floor((base * toCents(perc) * times) / 10_000 + 0.5)

/** Modes 1 to 4 count calendar days, 5 to 8 the same over business days: an amount a day, percent a day, month, year. */
const interest = (
  { modalidade, valorPerc }: { modalidade: number; valorPerc: string },
  base: number,
  calendarDays: number,
  workDays: number,
): number => {
  const days = modalidade > 4 ? workDays : calendarDays
  switch ((modalidade - 1) % 4) {
    case 0:
      return toCents(valorPerc) * days
    case 1:
      return percent(base, valorPerc, days)
    case 2:
      return percent(base, valorPerc, days / (modalidade > 4 ? 21 : 30))
    default:
      return percent(base, valorPerc, days / (modalidade > 4 ? 252 : 365))
  }
}

/** Modes 1 and 2 have dates; 3 to 6 count the days that the payment is early. */
const discount = (of: any, base: number, dueDate: string, day: string): number => {
  if (of.modalidade <= 2) {
    const [reached] = [...of.descontoDataFixa]
      .sort((a, b) => (a.data < b.data ? -1 : 1))
      .filter(({ data }) => day <= data)
    return reached === undefined
      ? 0
      : portion({ modalidade: of.modalidade, valorPerc: reached.valorPerc }, base)
  }
  const days = of.modalidade % 2 === 1 ? Math.max(daysBetween(day, dueDate), 0) : businessDays(day, dueDate)
  return of.modalidade <= 4 ? toCents(of.valorPerc) * days : percent(base, of.valorPerc, days)
}

/** Business days after the first day, up to the second. */
const businessDays = (from: string, to: string): number => {
  let count = 0
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) if (businessDayFrom(day) === day) count++
  return count
}
