use super::*;

#[test]
fn equal_totals_share_a_rank_and_the_next_is_skipped() {
    assert_eq!(
        ranks([5000, 3000, 3000, 3000, 100].into_iter()),
        [1, 2, 2, 2, 5]
    );
    assert!(ranks([].into_iter()).is_empty());
}
