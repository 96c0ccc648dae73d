import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Options for the browser's credentials, which the service makes and the browser checks. */
export type CredentialOptions = { challenge: string }

/** Has the person prove a passkey. Rejects if they turn away. */
export const provePasskey = async (options: object): Promise<Answer> => ({
  ...(await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })),
})

/** Has the person's device make a passkey. Rejects if they turn away. */
export const makePasskey = async (options: object): Promise<Answer> => ({
  ...(await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })),
})

/** What the browser answers, in its JSON form. */
type Answer = Record<string, unknown>

/** Whether this browser knows passkeys, and the address can have them: a bare IP address cannot. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|^\[/.test(location.hostname)
