/** How many cards may be tried at a company's pages, and how many declined, until no more go to the acquirer (checkout, section 5). */
export const usualCardLimits = {
  /** Tries of one session. */
  perSession: 5,
  /** Tries from one address at one link, within an hour. */
  perAddress: 5,
  /** Tries from one network at one link, within an hour. */
  perNetwork: 20,
  /** Declined cards of one issuer at one link, within an hour. */
  perBin: 10,
  /** Declined cards at all pages of the company, within an hour. */
  declinesPerHour: 100,
} as const

export type CardLimitName = keyof typeof usualCardLimits
export const cardLimitNames = Object.keys(usualCardLimits) as readonly CardLimitName[]

/** Limits that a company has set lower; null for the usual one. */
export type CardLimits = Readonly<Record<CardLimitName, number | null>>

export const noCardLimits: CardLimits = {
  perSession: null,
  perAddress: null,
  perNetwork: null,
  perBin: null,
  declinesPerHour: null,
}

/** The limit that holds. It is never above the usual one: higher ones are of use to those alone who test stolen cards. */
export const cardLimitOf = (own: CardLimits | undefined, name: CardLimitName): number =>
  Math.min(own?.[name] ?? usualCardLimits[name], usualCardLimits[name])
