import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Passkey, Person } from '../../engine/people/person.ts'

/** Passkeys (WebAuthn Level 3): both factors in one, and proof against phishing. */
export type Passkeys = {
  /** Whether the dashboard's address can be a relying party: an IP address cannot. */
  readonly areOffered: () => boolean
  /** For `navigator.credentials.create`. */
  readonly registrationOptions: (person: Person, challenge: string) => Promise<object>
  /** Null unless the browser has made a credential for this challenge. */
  readonly register: (
    response: object,
    challenge: string,
  ) => Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'isSynced' | 'transports'> | null>
  /** For `navigator.credentials.get`, with the passkeys of a person, or with any that the browser has. */
  readonly assertionOptions: (challenge: string, person: Person | null) => Promise<object>
  /** The authenticator data that was signed with the challenge; null unless the answer is valid. */
  readonly verify: (response: object, challenge: string, passkey: Passkey) => Promise<Signed | null>
}

/** The parts of authenticator data (WebAuthn Level 3, section 6.1) that we use. */
export type Signed = {
  /** Signatures so far by the authenticator's own count; 0 where it does not count. */
  readonly counter: number
  /** Whether the key may be on several devices (flag BE): their counts say nothing about copies. */
  readonly isSynced: boolean
}

/** Opens passkeys for the dashboard's origins; the library is loaded on first use. */
export const openPasskeys = (origins: () => readonly string[]): Passkeys => {
  const host = (): string => new URL(origins()[0]!).hostname
  const library = () => import('@simplewebauthn/server')
  return {
    areOffered: () => !/^[\d.]+$|^\[/.test(host()),
    registrationOptions: async (person, challenge) =>
      (await library()).generateRegistrationOptions({
        rpName: 'Payments',
        rpID: host(),
        userName: person.email,
        userDisplayName: person.name,
        userID: new TextEncoder().encode(person.id),
        challenge: Buffer.from(challenge, 'base64url'),
        attestationType: 'none',
        excludeCredentials: person.passkeys.map(credentialOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
    register: async (response, challenge) => {
      const { verifyRegistrationResponse } = await library()
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: [...origins()],
        expectedRPID: host(),
        requireUserVerification: true,
      }).catch(() => ({ verified: false, registrationInfo: undefined }))
      if (!verified || registrationInfo === undefined) return null
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      return {
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        isSynced: registrationInfo.credentialDeviceType === 'multiDevice',
        transports,
      }
    },
    assertionOptions: async (challenge, person) =>
      (await library()).generateAuthenticationOptions({
        rpID: host(),
        challenge: Buffer.from(challenge, 'base64url'),
        userVerification: 'required',
        ...(person !== null && { allowCredentials: person.passkeys.map(credentialOf) }),
      }),
    verify: async (response, challenge, passkey) => {
      const { verifyAuthenticationResponse } = await library()
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: [...origins()],
        expectedRPID: host(),
        credential: {
          ...credentialOf(passkey),
          publicKey: Buffer.from(passkey.publicKey, 'base64url'),
          // The library refuses a fallen count like a wrong signature; `hasFallenBack` distinguishes them.
          counter: 0,
        },
        requireUserVerification: true,
      }).catch(() => ({ verified: false, authenticationInfo: undefined }))
      if (!verified || authenticationInfo === undefined) return null
      const { newCounter, credentialDeviceType } = authenticationInfo
      return { counter: newCounter, isSynced: credentialDeviceType === 'multiDevice' }
    },
  }
}

/**
 * Whether the count shows that a key which belongs to one device was copied (WebAuthn Level 3, section 6.1.1). Synced keys are not judged by
 * it: password managers count on each device, or begin again at 0.
 */
export const hasFallenBack = ({ counter, isSynced }: Signed, before: number): boolean =>
  !isSynced && (counter > 0 || before > 0) && counter <= before

/** Whether the change of a person at `atMs` records that this passkey's count fell back. */
export const hasFallenBackBy = (
  { counterFellBackAtMs }: Passkey,
  { atMs }: { readonly atMs: number },
): boolean => counterFellBackAtMs === atMs

const credentialOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

type AuthenticatorTransport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'

/** The challenge and the credential that a browser's answer names; null if it cannot be read. */
export const readAssertion = (
  response: unknown,
): { readonly challenge: string; readonly credentialId: string } | null => {
  try {
    const { id, response: parts } = response as AuthenticationResponseJSON
    const { challenge } = JSON.parse(Buffer.from(parts.clientDataJSON, 'base64url').toString('utf8'))
    return typeof challenge === 'string' && typeof id === 'string' ? { challenge, credentialId: id } : null
  } catch {
    return null
  }
}
