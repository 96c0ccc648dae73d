import type { AttemptOutcome } from '../../engine/webhooks/delivery.ts'
import { bounds } from '../base/bounds.ts'

/**
 * Counts the attempts under way, and says which endpoints there is room for. Endpoints that answer share one part of the room, silent ones
 * have another, so neither waits for the other. An endpoint is silent once an attempt has timed out. Where the first part is full, the
 * timeout is not waited for: an endpoint that has attempts under way and has not answered for `attemptPatienceMs` is silent at once, and its
 * attempts leave the first part. So a thousand endpoints that fall silent in the same moment delay the others by less than a second.
 */
export type Room = {
  readonly inFlight: () => number
  /** Whether an endpoint that answers may begin an attempt. If not, `onRoom` is called when it is worth asking again. */
  readonly hasRoom: () => boolean
  readonly hasRoomForSilent: () => boolean
  readonly onStart: (guest: Guest) => void
  /** Null: no request was made, so nothing is known about the endpoint. */
  readonly onEnd: (guest: Guest, outcome: AttemptOutcome | null) => void
}

/** What is known about an endpoint. */
export type Guest = {
  inFlight: number
  /** How many may be in flight. They double with every answer up to the limit; a silent endpoint has one until it answers. */
  slots: number
  isSilent: boolean
}

export type RoomOptions = {
  /** Never jumps. */
  readonly monotonicMs: () => number
  /** Calls back after so many milliseconds. */
  readonly later: (ms: number, callback: () => void) => void
  readonly onRoom: () => void
}

/** An endpoint that nothing is known about. */
export const newGuest = (): Guest => ({
  inFlight: 0,
  slots: bounds.initialSlotsPerEndpoint,
  isSilent: false,
})

type RoomState = RoomOptions & {
  inFlight: number
  /** Those at silent endpoints. */
  silentInFlight: number
  /** Endpoints with attempts under way that are not silent, and when each gave its last sign of life, the earliest first. */
  readonly heard: Map<Guest, number>
  isTimed: boolean
}

/** Opens the room of one pool. */
export const openRoom = (options: RoomOptions): Room => {
  const room: RoomState = { ...options, inFlight: 0, silentInFlight: 0, heard: new Map(), isTimed: false }
  return {
    inFlight: () => room.inFlight,
    hasRoom: () => room.inFlight - room.silentInFlight < bounds.attemptsInFlightMax || makeRoom(room),
    hasRoomForSilent: () => room.silentInFlight < bounds.attemptsToSilentMax,
    onStart: (guest) => {
      guest.inFlight++
      room.inFlight++
      if (guest.isSilent) room.silentInFlight++
      else if (!room.heard.has(guest)) room.heard.set(guest, room.monotonicMs())
    },
    onEnd: (guest, outcome) => {
      guest.inFlight--
      room.inFlight--
      if (guest.isSilent) room.silentInFlight--
      if (outcome?.error === 'TIMEOUT') silence(room, guest)
      else if (outcome !== null) hear(room, guest)
      if (guest.inFlight === 0) room.heard.delete(guest)
    },
  }
}

/** Takes the endpoint that was heard of longest ago for silent, if that was long enough ago. */
const makeRoom = (room: RoomState): boolean => {
  const [longestAgo] = room.heard
  if (longestAgo === undefined || room.silentInFlight >= bounds.attemptsUnansweredMax) return false
  const [guest, heardAtMs] = longestAgo
  const leftMs = heardAtMs + bounds.attemptPatienceMs - room.monotonicMs()
  if (leftMs > 0) {
    askAgain(room, leftMs)
    return false
  }
  silence(room, guest)
  return true
}

const askAgain = (room: RoomState, inMs: number): void => {
  if (room.isTimed) return
  room.isTimed = true
  room.later(Math.ceil(inMs), () => {
    room.isTimed = false
    room.onRoom()
  })
}

const silence = (room: RoomState, guest: Guest): void => {
  guest.slots = 1
  if (guest.isSilent) return
  guest.isSilent = true
  room.silentInFlight += guest.inFlight
  room.heard.delete(guest)
}

/** Any answer is a sign of life, also a refusal of the connection. */
const hear = (room: RoomState, guest: Guest): void => {
  guest.slots = Math.min(2 * guest.slots, bounds.attemptsPerEndpointMax)
  if (guest.isSilent) room.silentInFlight -= guest.inFlight
  guest.isSilent = false
  // Deleted first, because a map keeps the place of a key that it has.
  room.heard.delete(guest)
  room.heard.set(guest, room.monotonicMs())
}
