/** Positions of rows in one segment's arrays. */
export type SegmentRows = Uint16Array
