import { t } from './language.ts'
import { ApiProblem } from './problem.ts'

/** Options for the browser's credentials in the JSON form of WebAuthn Level 3, section 5.1: bytes are base64url. */
type Options = {
  readonly challenge: string
  readonly user: Listed
  readonly allowCredentials?: readonly Listed[]
  readonly excludeCredentials: readonly Listed[]
}
type Listed = { readonly id: string }

/** The browser's credential in its JSON form. */
type Answer = Record<string, unknown>

/** Has the person prove a passkey. Rejects if they turn away. */
export const provePasskey = async (options: object): Promise<Answer> => {
  const { challenge, allowCredentials, ...rest } = options as Options
  const publicKey = {
    ...rest,
    challenge: bytesOf(challenge),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(withBytes) }),
  }
  const credential = await asked((signal) => navigator.credentials.get({ publicKey, signal } as object))
  const { authenticatorData, clientDataJSON, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse
  return answerOf(credential, {
    authenticatorData: base64url(authenticatorData),
    clientDataJSON: base64url(clientDataJSON),
    signature: base64url(signature),
    ...(userHandle && { userHandle: base64url(userHandle) }),
  })
}

/** Has the person's device make a passkey. Rejects if they turn away. */
export const makePasskey = async (options: object): Promise<Answer> => {
  const { challenge, user, excludeCredentials, ...rest } = options as Options
  const publicKey = {
    ...rest,
    challenge: bytesOf(challenge),
    user: withBytes(user),
    excludeCredentials: excludeCredentials.map(withBytes),
  }
  const credential = await asked((signal) => navigator.credentials.create({ publicKey, signal } as object))
  const response = credential.response as AuthenticatorAttestationResponse
  return answerOf(credential, {
    attestationObject: base64url(response.attestationObject),
    clientDataJSON: base64url(response.clientDataJSON),
    transports: response.getTransports(),
  })
}

/** The prompt in progress, perhaps of another dialog. A browser shows one at a time, so a new one aborts it. */
let pending = new AbortController()

const asked = async (ask: (signal: AbortSignal) => Promise<Credential | null>) => {
  pending.abort()
  pending = new AbortController()
  try {
    return (await ask(pending.signal)) as PublicKeyCredential
  } catch (error) {
    const title = refusals()[(error as Error).name]
    throw title === undefined ? error : new ApiProblem(0, { code: 'PASSKEY', title })
  }
}

/** Messages for errors that a person can cause; any other error is thrown on. */
const refusals = (): Readonly<Record<string, string>> => ({
  NotAllowedError: t.problems.passkeyNotGiven,
  AbortError: t.problems.passkeyNotGiven,
  // The device has a passkey of this person already.
  InvalidStateError: t.problems.passkeyKnown,
})

const answerOf = (credential: PublicKeyCredential, response: object): Answer => ({
  id: credential.id,
  rawId: base64url(credential.rawId),
  type: credential.type,
  response,
  clientExtensionResults: credential.getClientExtensionResults(),
})

const withBytes = <Of extends Listed>(of: Of) => ({ ...of, id: bytesOf(of.id) })

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

/** Bytes as URLs and JSON carry them (RFC 4648, section 5). */
export const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** Whether this browser knows passkeys, and the address can have them: a bare IP address cannot. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|^\[/.test(location.hostname)
