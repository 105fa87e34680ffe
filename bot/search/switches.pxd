# The switches and measures of the search; each game has its own table of them.
cdef struct Options:
    int null_move               # 0 off; else the base reduction in plies
    int reductions              # percent of the usual late-move reductions
    int check_extension
    int singular_depth          # from this depth on; 0 off
    int reverse_futility_cp     # margin a ply; 0 off
    int razoring_cp
    int futility_cp             # margin a ply for quiet moves; 0 off
    int late_moves              # base of the number of quiet moves that are tried near the leaves; 0 off
    int exchange_quiet_cp       # loss allowed by static exchange, a squared ply; 0 off
    int exchange_noisy_cp       # a ply
    int probe_cut_cp            # margin above beta; 0 off
    int aspiration_cp           # half of the first window; 0 off
    int delta_cp                # what a capture in quiescence may lack; 0 off
    int evasion_plies           # plies of quiescence at which what presses is answered rather than left
    int threat_plies            # plies of quiescence at which quiet threats to the king are tried
    int repeat_cp               # what a repetition costs the side that stands better
    int fade_percent            # of the quiet plies left, how far they scale the score
    int forced_plies            # length of the wins by nothing but threats that are looked for at the root; 0 off
