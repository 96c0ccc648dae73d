import type { PostalAddress } from '../shared/address.ts'
import type { Profile } from './account.ts'

/** A company as its documents name it: kept with what was issued, so that a document says for ever what it said that day. */
export type Issuer = {
  readonly name: string
  readonly city: string
  readonly address: PostalAddress | null
  /** IANA name: the days and times on the document are counted in it. */
  readonly timeZone: string
}

/** The issuer of what is issued now. All that a company issues under one profile shares it. */
export const issuerOf = (profile: Profile): Issuer => {
  let issuer = known.get(profile)
  if (issuer === undefined) {
    const { name, city, address, timeZone } = profile
    issuer = { name, city, address, timeZone }
    known.set(profile, issuer)
  }
  return issuer
}

const known = new WeakMap<Profile, Issuer>()
