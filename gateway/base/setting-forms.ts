import { availableParallelism } from 'node:os'
import ipaddr from 'ipaddr.js'
import { chainNetworks, type Network } from '../../engine/shared/asset.ts'

/** Reads the text of a setting: its value, or null if the text is not valid. */
export type Parse<Value> = (text: string) => Value | null

/** Reads any text as it is. */
export const anyText = (text: string): string => text

/** Reads a setting that may be left out: an empty text stays empty. */
export const ifSet =
  <Value>(parse: Parse<Value>): Parse<Value | ''> =>
  (text) =>
    text === '' ? text : parse(text)

/** Reads one of these words. */
export const wordOf =
  <const Word extends string>(words: readonly Word[]): Parse<Word> =>
  (text) =>
    words.find((value) => value === text) ?? null

/** Reads a text of this form. */
export const matching =
  (form: RegExp): Parse<string> =>
  (text) =>
    form.test(text) ? text : null

/** Reads a whole number from `min` to `max`. */
export const integer =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : null
  }

/** Reads addresses of this form, separated by commas; an empty text is none. */
export const urls =
  (form: RegExp): Parse<readonly string[]> =>
  (text) => {
    const all = text === '' ? [] : text.split(',').map((url) => url.trim())
    return all.every((url) => form.test(url)) ? all : null
  }

/** Reads an origin: scheme, host and port, without user, path, query or fragment. */
export const originOf = (text: string): string | null => {
  if (!URL.canParse(text)) return null
  const { protocol, origin, href } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && href === `${origin}/` ? origin : null
}

/** Reads a number of replicas: 1, 3 or 5. */
export const replicas = (text: string): number | null =>
  ['1', '3', '5'].includes(text) ? Number(text) : null

/** Reads a name that is one token of a NATS subject and part of a stream's name. */
export const clusterName = matching(/^[a-z0-9-]{1,32}$/)

/** Reads a number of threads; `auto` leaves one core to the rest of the machine. */
export const workers = (text: string): number | null =>
  text === 'auto' ? Math.max(1, Math.min(4, availableParallelism() - 1)) : integer(1, 64)(text)

/** Reads networks in CIDR notation, separated by commas. */
export const networks = (text: string): readonly string[] | null => {
  const all = text === '' ? [] : text.split(',').map((network) => network.trim())
  return all.every((network) => ipaddr.isValidCIDR(network)) ? all : null
}

/** Reads confirmations by network; networks that are left out keep their defaults. */
export const confirmations: Parse<Readonly<Record<Network, number>>> = (text) => {
  const named: Partial<Record<Network, number>> = {}
  for (const part of text.split(',').filter((part) => part !== '')) {
    const [name, count = ''] = part.split('=')
    const network = chainNetworks.find((known) => known === name)
    if (network === undefined || !/^[1-9][0-9]{0,3}$/.test(count)) return null
    named[network] = Number(count)
  }
  return { TRON: 20, ETHEREUM: 64, POLYGON: 128, BASE: 64, SOLANA: 32, ...named }
}
