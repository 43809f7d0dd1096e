/**
 * What ONNX Runtime's memory arena takes from the system for a sequence of values: more than live at once, because pieces
 * do not fit.
 *
 * The arena asks for each piece that none of its free ones can hold, exactly as large; a free piece is cut where it is at
 * least twice as large, neighbours within what was asked for at once are joined. Source: ONNX Runtime 1.30,
 * core/framework/bfc_arena.cc, with arena_extend_strategy kSameAsRequested.
 * @module
 */

const ROUND = 256, MOST_DEAD = 128 << 20; // Bytes: pieces are multiples of the first; more than the second is always cut off.

/** A piece of what was asked for at once, with its neighbours in that. */
interface Piece {
  size: number;
  free: boolean;
  before: Piece | null;
  after: Piece | null;
}

export class Arena {
  /** Bytes asked of the system so far. */
  bytes = 0;
  readonly #free = new Set<Piece>();

  take(bytes: number): Piece {
    const size = Math.max(ROUND, Math.ceil(bytes / ROUND) * ROUND);
    let best: Piece | null = null;
    for (const piece of this.#free) if (piece.size >= size && (best === null || piece.size < best.size)) best = piece;
    if (best === null) {
      this.bytes += size;
      return { size, free: false, before: null, after: null };
    }
    this.#free.delete(best);
    best.free = false;
    if (best.size >= 2 * size || best.size - size >= MOST_DEAD) this.#cut(best, size);
    return best;
  }

  give(piece: Piece): void {
    piece.free = true;
    let whole = piece;
    if (piece.after?.free) this.#join(piece, piece.after);
    if (piece.before?.free) {
      whole = piece.before;
      this.#free.delete(whole);
      this.#join(whole, piece);
    }
    this.#free.add(whole);
  }

  #cut(piece: Piece, size: number): void {
    const rest: Piece = { size: piece.size - size, free: true, before: piece, after: piece.after };
    if (piece.after) piece.after.before = rest;
    piece.after = rest;
    piece.size = size;
    this.#free.add(rest);
  }

  #join(first: Piece, second: Piece): void {
    this.#free.delete(second);
    first.size += second.size;
    first.after = second.after;
    if (second.after) second.after.before = first;
  }
}
