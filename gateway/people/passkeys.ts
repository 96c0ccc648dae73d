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
  ) => Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'> | null>
  /** For `navigator.credentials.get`; with the passkeys of a person, or with whichever the browser has. */
  readonly assertionOptions: (challenge: string, person: Person | null) => Promise<object>
  /** The authenticator's count after it has signed the challenge; null if it has not. */
  readonly verify: (response: object, challenge: string, passkey: Passkey) => Promise<number | null>
}

/** Opens passkeys for the dashboard's origins; the library is loaded by the first that needs it. */
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
          counter: passkey.counter,
        },
        requireUserVerification: true,
      }).catch(() => ({ verified: false, authenticationInfo: undefined }))
      return verified ? (authenticationInfo?.newCounter ?? 0) : null
    },
  }
}

const credentialOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

type AuthenticatorTransport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'

/** The challenge and the credential that an answer of a browser names, as far as it can be read. */
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
