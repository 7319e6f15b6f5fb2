// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/note.hpp"

/// Everything that the library tells a user besides statuses: notes, reasons and refusals. The
/// code of a kind is its name with dashes, and stays; its sentence may change.
namespace taut::notes {

// Runs
// ------------------------------------------------------------------------------------------------

inline constexpr NoteKind resumed{"resumed", "resumed at step {steps}"};
inline constexpr NoteKind reason_at_start{"reason-at-start", "at the start: {reason}"};
inline constexpr NoteKind not_resumable{"not-resumable",
                                        "this method cannot be resumed: the run started over"};
inline constexpr NoteKind nothing_to_resume{
    "nothing-to-resume", "there is no checkpoint to resume from: the run started over"};
inline constexpr NoteKind no_checkpoint{"no-checkpoint", "no checkpoint: {problem}"};
inline constexpr NoteKind rows_thinned{
    "rows-thinned",
    "the motion has one row for {steps} steps: choose {curve?rows|output times} with "
    "<<every>>{curve? or <<every arc>>}"};
inline constexpr NoteKind not_shown{"not-shown",
                                    "what came after t = {last:.9g}, up to t = {reached:.9g}, "
                                    "{grown?grew without bound|was off the "
                                    "constraints}: it is not shown"};
inline constexpr NoteKind events_dropped{
    "events-dropped", "{count} further events{curve? and impasse points} were not kept"};
inline constexpr NoteKind tolerance_below_rounding{
    "tolerance-below-rounding",
    "a tolerance of {tol:.2g} is below rounding: {least} is taken, the least that can be had"};
inline constexpr NoteKind stiffness_negative{
    "stiffness-negative",
    "{springs}: a negative stiffness pushes away from the length at rest, the farther the "
    "stronger; "
    "without something else that holds, the motion grows without bound"};
inline constexpr NoteKind contact_of_centres{
    "contact-of-centres",
    "{contact} takes {bodies} for points at their centres of mass: give radius, a sphere as their "
    "shape, or among, with points or markers that touch"};
inline constexpr NoteKind charges_not_neutral{
    "charges-not-neutral",
    "{law}: charges add up to {sum:.6g}; Ewald's sum holds for a neutral box, and takes a uniform "
    "background of the other sign for given, which pulls at nobody"};
inline constexpr NoteKind shortened{"shortened",
                                    "lists of names are left out here: they are in summary.json"};
inline constexpr NoteKind not_finite{"not-finite", "{where} is not finite ({value})"};
inline constexpr NoteKind values_not_finite{"values-not-finite",
                                            "{where}: {bad} of {all} values are not finite"};

// Estimates of errors: why there is none
// ------------------------------------------------------------------------------------------------

inline constexpr NoteKind estimate_of_curve{"estimate-of-curve",
                                            "runs of models with [jets] have none"};
inline constexpr NoteKind estimate_in_bath{"estimate-in-bath",
                                           "in a heat bath a motion is one of many"};
inline constexpr NoteKind estimate_of_reading{
    "estimate-of-reading",
    "the {reading} reading has an error of its own, which a second run would not show"};
inline constexpr NoteKind estimate_of_failure{"estimate-of-failure",
                                              "the run did not reach its end"};
inline constexpr NoteKind estimate_of_held_run{
    "estimate-of-held-run", "the run was held in the hand, and may have been changed from outside"};
inline constexpr NoteKind estimate_at_rest{"estimate-at-rest", "there is nothing but the start"};
inline constexpr NoteKind estimate_takes_long{
    "estimate-takes-long",
    "it would take {given_up?more than|about} {seconds:.2g} s: <<error estimate>>"};
inline constexpr NoteKind estimate_interrupted{"estimate-interrupted", "interrupted"};
inline constexpr NoteKind estimate_failed{"estimate-failed", "the second run failed: {message}"};

// Statistics
// ------------------------------------------------------------------------------------------------

inline constexpr NoteKind of_statistic{"of-statistic", "{name}: {about}"};
inline constexpr NoteKind correlation_unknown{
    "correlation-unknown",
    "correlation_time is not known: the correlation has no zero up to the lag {lag}; give a longer "
    "lag, or run longer"};
inline constexpr NoteKind samples_equal{"samples-equal",
                                        "all samples are equal: they have no correlation"};
inline constexpr NoteKind no_averages{"no-averages",
                                      "no averages: the run is shorter than their window"};
inline constexpr NoteKind no_samples{
    "no-samples",
    "no samples, and nothing is known: none was due from after = {after} on; end the run later"};

// Starts and readings
// ------------------------------------------------------------------------------------------------

inline constexpr NoteKind start_vibrates{
    "start-vibrates",
    "the start vibrates by {amplitude:.2g} with {omega:.3g} rad/s, above the tolerance: it is "
    "followed, in some {steps:.1g} steps; <<slow start>> removes it"};
inline constexpr NoteKind start_vibrates_little{
    "start-vibrates-little",
    "the start vibrates by {amplitude:.2g} with {omega:.3g} rad/s, which is below the absolute "
    "part "
    "of the tolerance: a smaller <<tol>> is needed to follow it; <<slow start>> removes it"};
inline constexpr NoteKind start_vibrates_fast{
    "start-vibrates-fast",
    "the start vibrates by {amplitude:.2g} with {omega:.3g} rad/s, which only steps well below "
    "{step:.2g} s follow; <<slow start>> removes it"};
inline constexpr NoteKind start_slow{
    "start-slow",
    "the start was moved by {distance:.3g} (in the mass metric) to where nothing vibrates fast"};
inline constexpr NoteKind start_is_slow{"start-is-slow", "{why}"};
inline constexpr NoteKind start_moved{
    "start-moved",
    "the start was moved by {distance:.3g} (in the mass metric) to where compliant constraints do "
    "not vibrate; <<keep start>> takes it as given"};
inline constexpr NoteKind start_at_rest{
    "start-at-rest",
    "the run begins at an equilibrium{unstable?, an unstable one: none that is stable was found|}"
    "{undecided?, of which it is not sure that it is stable: something has no stiffness there|}"};
inline constexpr NoteKind start_less_slow{"start-less-slow", "{why}"};
inline constexpr NoteKind slow_by_expansion{
    "slow-by-expansion",
    "slow motion by {sweeps} sweep{sweeps|s} of the expansion in powers of the compliance"};
inline constexpr NoteKind slow_by_filter{
    "slow-by-filter",
    "slow motion by iterated projection: vibrations from {lowest:.4g} to {highest:.4g} rad/s are "
    "averaged out"};
inline constexpr NoteKind expansion_diverges{
    "expansion-diverges",
    "vibrations are no longer fast compared with the motion: the terms of the expansion in powers "
    "of the compliance have ceased to fall; radau follows the motion farther"};
inline constexpr NoteKind expansion_leaves{
    "expansion-leaves", "the expansion leaves up to {part:.1e} of their size in the constraints"};
inline constexpr NoteKind averaged_motion{
    "averaged-motion",
    "averaged over the vibration with {steps} micro-steps per period; the motion itself vibrates "
    "about it by {amplitude:.2g} in q and {velocity:.2g} in v (mass metric), forces are good to "
    "{error:.2g}"};
inline constexpr NoteKind scales_not_separated{
    "scales-not-separated",
    "the vibration is not fast compared with the motion: the averaged force differs by "
    "{percent:.0f} % with the phase (or window) it is found from; {window?take a longer window, or "
    "a smoother kernel, or run the model as written|raise omega at the same velocity of vibration, "
    "smooth a force that jumps with theta, or run the model as written}"};
inline constexpr NoteKind forces_cancel{
    "forces-cancel",
    "forces of size {size:.2g} cancel over a period: rounding leaves {part:.1g} of the averaged "
    "force"};
inline constexpr NoteKind nothing_to_average{
    "nothing-to-average", "theta appears in no force: there is nothing to average"};
inline constexpr NoteKind not_watched{
    "not-watched",
    "formulas of the model switch or may be short in time, and steps of this reading are not "
    "looked "
    "at for it: bound them by <<max step>>, or run the model as written"};
inline constexpr NoteKind not_periodic{
    "not-periodic",
    "the force does not repeat itself within 12 periods: it is averaged over {periods:.3g} periods "
    "with the kernel '{kernel}'"};

// Methods at work
// ------------------------------------------------------------------------------------------------

inline constexpr NoteKind changed_for_cost{
    "changed-for-cost",
    "changed to dop853 at t = {t:.6g}: the steps of radau would be stable for dop853, too"};
inline constexpr NoteKind changed_for_stability{
    "changed-for-stability",
    "changed to radau at t = {t:.6g}: stability and not accuracy was about to bound the steps"};
inline constexpr NoteKind changed_for_length{
    "changed-for-length",
    "changed to radau at t = {t:.6g}: its steps are {longer:.0f} times longer here"};
inline constexpr NoteKind changed_after_failure{
    "changed-after-failure", "changed to radau at t = {t:.6g}: dop853 could not go on ({status})"};
inline constexpr NoteKind tolerance_loosened{
    "tolerance-loosened",
    "at t = {t:.6g} constraints are nearly dependent: passed with a tolerance of {tol:.0e}"};
inline constexpr NoteKind steps_in_time{
    "steps-in-time",
    "steps are measured in t, on which the model depends; <<parameter: arc>>: in length"};
inline constexpr NoteKind invariants_kept{"invariants-kept",
                                          "kept to rounding, as the constraints are: {names}"};
inline constexpr NoteKind stiff_for_explicit{
    "stiff-for-explicit",
    "the system is stiff: the length of {stiff} of {steps} steps was bounded by the stability of "
    "an explicit method, not by the tolerance; {curve?if the system is mechanical, state it as "
    "such: }radau is implicit"};

// Why a method, a step or a form
// ------------------------------------------------------------------------------------------------

inline constexpr NoteKind explicit_without_derivatives{
    "explicit-without-derivatives",
    "explicit, order 8: an implicit method would need derivatives of the forces"};
inline constexpr NoteKind explicit_not_stiff{
    "explicit-not-stiff",
    "explicit, order 8: nothing is stiff, the fastest rate at the start is {rate:.3g} per second"};
inline constexpr NoteKind explicit_not_compliant{
    "explicit-not-compliant",
    "explicit, order 8: no constraint is compliant; an implicit method takes over when stability "
    "bounds the steps"};
inline constexpr NoteKind explicit_not_fast{
    "explicit-not-fast",
    "explicit, order 8: the fastest vibration, {rate:.3g} rad/s, is not fast compared with the "
    "motion"};
inline constexpr NoteKind implicit_stiff{
    "implicit-stiff",
    "implicit: compliant constraints vibrate with {rate:.3g} rad/s, which would take an explicit "
    "method {steps:.2g} steps"};
inline constexpr NoteKind constant_step_rigid{
    "constant-step-rigid", "a constant step was asked for, and there are rigid constraints"};
inline constexpr NoteKind constant_step_free{
    "constant-step-free", "a constant step was asked for, and there are no rigid constraints"};
inline constexpr NoteKind constant_step_rolling{
    "constant-step-rolling",
    "a constant step was given, and there are conditions on velocities ([[rolling]])"};
inline constexpr NoteKind constant_step_velocities{
    "constant-step-velocities", "a constant step was asked for, and forces depend on velocities"};
inline constexpr NoteKind slow_not_stiff{
    "slow-not-stiff", "slow motion is not stiff: an explicit method with steps of its own size"};
inline constexpr NoteKind averaged_not_stiff{
    "averaged-not-stiff", "averaged motion is slow: an explicit method with steps of its own size"};
inline constexpr NoteKind step_of_vibration{
    "step-of-vibration",
    "step {step:.6g}: 1/40 of the period of the fastest vibration about the start ({rate:.3g} "
    "rad/s){over?; the vibrations of compliant constraints are stepped over, not followed}"};
inline constexpr NoteKind step_of_span{
    "step-of-span",
    "step {step:.6g}: 1/1000 of the time span{over?; the vibrations of compliant constraints are "
    "stepped over, not followed}"};
inline constexpr NoteKind step_of_limit{"step-of-limit",
                                        "steps of {step:.3g} s, as long as <<max step>> allows"};
inline constexpr NoteKind form_linear{
    "form-linear",
    "the highest derivatives stand linearly: they are no coordinates{unjudged?; whether the "
    "equations are complete is not known: }{unjudged}"};
inline constexpr NoteKind form_not_invariants{
    "form-not-invariants",
    "not the form with invariants: {why}{unjudged?; whether the equations are complete is not "
    "known: }{unjudged}"};
inline constexpr NoteKind form_not_stated{"form-not-stated",
                                          "not as the equations are stated: {why}"};
inline constexpr NoteKind form_of_index{
    "form-of-index",
    "the equations have index {index}{hidden? and imply conditions that they do not state: "
    "}{hidden}"};
inline constexpr NoteKind form_of_index_with_more{
    "form-of-index-with-more",
    "the equations have index {index} and imply conditions that they do not state: {hidden} and "
    "{more} more"};

// Why a method does not fit
// ------------------------------------------------------------------------------------------------

inline constexpr NoteKind needs_free_motion{
    "needs-free-motion",
    "{method} integrates free motion, and the model has {rigid} rigid constraint{rigid|s}: take "
    "rattle, or make them stiff with <<reading: penalized>>"};
inline constexpr NoteKind needs_constant_mass{
    "needs-constant-mass",
    "{method} needs a constant mass matrix, and M depends on q: take rattle or dop853"};
inline constexpr NoteKind needs_no_velocities{
    "needs-no-velocities",
    "{method} needs forces that do not depend on velocities (dampers, lambda(...) in forces and "
    "the inertial forces of T(q, v) do): take rattle or dop853"};
inline constexpr NoteKind needs_no_velocity_rows{
    "needs-no-velocity-rows",
    "{method} does not treat conditions on velocities ([[rolling]]): take dop853, dopri5 "
    "or radau, or rattle for constant steps"};
inline constexpr NoteKind needs_derivatives{
    "needs-derivatives",
    "{method} needs derivatives of the forces, and there are none (a slow flow, forces of a black "
    "box, or too many pairs of points): take dop853, or rk4 for constant steps"};
inline constexpr NoteKind needs_no_compliance{
    "needs-no-compliance",
    "{method} does not treat constraints with compliance as equations: take springs(system), the "
    "reading that turns them into springs, or rigid(system)"};
inline constexpr NoteKind bath_needs_constant_step{
    "bath-needs-constant-step", "chooses its own steps, and a heat bath needs constant ones"};
inline constexpr NoteKind statistics_need_constant_step{
    "statistics-need-constant-step", "chooses its own steps, and statistics need constant ones"};
inline constexpr NoteKind window_needs_constant_step{
    "window-needs-constant-step",
    "chooses its own steps, and <<multiplier window>> needs constant ones"};

// Curves, equilibria, comparisons
// ------------------------------------------------------------------------------------------------

inline constexpr NoteKind rank_uncertain{
    "rank-uncertain", "a rank is uncertain: some numbers are neither clearly zero nor clearly not"};
inline constexpr NoteKind no_point_near_by{
    "no-point-near-by",
    "no other point was found near by at which the equations and {derivatives} derivatives of them "
    "hold: whether they contradict one another away from {x} = {at} is not known"};
inline constexpr NoteKind starts_at_impasse{
    "starts-at-impasse",
    "the start is an impasse point: the curve goes on, with dx/ds = 0 there; the table is that of "
    "a point beside it"};
inline constexpr NoteKind rates_too_different{
    "rates-too-different",
    "the table is left out, since the rates in the equations differ by too many powers of ten to "
    "judge ranks of high derivatives: index and dimension are those of the structure"};
inline constexpr NoteKind too_many_jets{
    "too-many-jets",
    "{jets} jets are more than ranks are judged for: index and dimension are those of the "
    "structure"};
inline constexpr NoteKind families_of_rest{
    "families-of-rest",
    "{more} more places of rest were found that have no stiffness in some direction either: places "
    "of rest form families here"};
inline constexpr NoteKind rest_of_rolling{
    "rest-of-rolling",
    "what rolls may rest in a family of places: this is the one that the start leads to without "
    "slipping"};
inline constexpr NoteKind rest_at_time{
    "rest-at-time", "time appears in the model: equilibria are those of its forces at t = {t}"};
inline constexpr NoteKind searches_cut_short{"searches-cut-short",
                                             "searches ended after {seconds:.3g} s, when "
                                             "{searches} of them had been begun: there may be more "
                                             "equilibria"};
inline constexpr NoteKind many_equilibria{
    "many-equilibria", "searches ended with {most} equilibria: there may be more"};
inline constexpr NoteKind compared_until_stop{
    "compared-until-stop", "{event}: compared until t = {t:.6g}, shortly before"};
inline constexpr NoteKind agree_elsewhere{
    "agree-elsewhere",
    "{one} and {other} agree with each other and not with the reference, however small their "
    "tolerance: they seem to step over something short that it sees"};
inline constexpr NoteKind reference_doubtful{
    "reference-doubtful",
    "doubtful: {one} and {other} agree with each other to {apart:.1e}, and differ from it by "
    "{error:.1e}"};
inline constexpr NoteKind reference_in_one_piece{
    "reference-in-one-piece",
    "there was no time to compute it in {pieces} pieces: a force that is shorter than a step is "
    "not in it"};
inline constexpr NoteKind reference_implicit{
    "reference-implicit",
    "no explicit method got to the end: a vibration that both methods step over is not in it"};
inline constexpr NoteKind finer_beyond_budget{
    "finer-beyond-budget",
    "finer runs would take longer than what is left of the whole time (<<budget>>)"};
inline constexpr NoteKind finer_beyond_limit{
    "finer-beyond-limit", "finer runs would take longer than the limit of a run (<<max seconds>>)"};
inline constexpr NoteKind last_beyond_part{
    "last-beyond-part", "the last run took longer than its part of the whole time (<<budget>>)"};
inline constexpr NoteKind finer_below_reference{
    "finer-below-reference", "finer runs would be below the uncertainty of the reference"};
inline constexpr NoteKind velocities_jump{
    "velocities-jump",
    "velocities jump at t = {first:.6g}{more? and again later|}: a constraint changes its speed at "
    "once"};
inline constexpr NoteKind dense_output_poor{
    "dense-output-poor",
    "what is read inside of {count} steps, first at t = {first:.6g}, does not meet the equations "
    "of "
    "motion to the tolerance: it is off by up to {most:.3g} times that"};
inline constexpr NoteKind steps_sampled{
    "steps-sampled",
    "in {count} steps, first at t = {first:.6g}, bounds of the formulas do not decide whether "
    "something short happens: nothing shows in 64 points of each; <<max step>> has them looked at "
    "more closely"};
inline constexpr NoteKind force_not_resolved{
    "force-not-resolved",
    "{count} of {steps} steps do not resolve a force that changes within them, first at t = "
    "{first:.6g}: take shorter steps, or an adaptive method"};
inline constexpr NoteKind finer_not_better{"finer-not-better", "finer runs are no more accurate"};

}  // namespace taut::notes
